/** An object from what stands on a command line: members as `NAME=VALUE`, read as a schema says, or all of it as JSON. */
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
/** @throws UserError for what cannot be read; whether it fits is checked by the operator API */
export function namedValues({ schema, named, json, what }) {
    const properties = propertiesOf(schema);
    const values = json === undefined ? {} : jsonObject(json, what.flag);
    for (const word of named) {
        const at = word.indexOf('=');
        const [name, text] = [word.slice(0, at), word.slice(at + 1)];
        const known = properties[name];
        if (known === undefined)
            throw new UserError(`${what.owner} has no field ${JSON.stringify(name)}; it has: ${Object.keys(properties).join(', ')}`, EXIT.usage);
        values[name] = known.type === 'array' ? [...listOf(values[name]), valueOf(name, text, known.items ?? {})] : valueOf(name, text, known);
    }
    return values;
}
/** An object that stands on the command line. @throws UserError */
export function jsonObject(text, flag) {
    try {
        const value = JSON.parse(text);
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
            return value;
    }
    catch {
        // It is said below.
    }
    throw new UserError(`--${flag}: must be a JSON object`, EXIT.usage);
}
function valueOf(name, text, { type }) {
    switch (type) {
        case 'string':
            return text;
        case 'number':
        case 'integer': {
            const number = Number(text);
            if (text.trim() === '' || Number.isNaN(number))
                throw new UserError(`${name}=${text}: must be a number`, EXIT.usage);
            return number;
        }
        case 'boolean':
            if (text !== 'true' && text !== 'false')
                throw new UserError(`${name}=${text}: must be true or false`, EXIT.usage);
            return text === 'true';
        default:
            // Of several types, or of none that is named: JSON if it is that, otherwise a text.
            return jsonOr(text);
    }
}
function jsonOr(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return text;
    }
}
function listOf(value) {
    return Array.isArray(value) ? value : [];
}
function propertiesOf(schema) {
    if (typeof schema !== 'object' || schema === null || !('properties' in schema))
        return {};
    return schema.properties;
}
//# sourceMappingURL=named-values.js.map