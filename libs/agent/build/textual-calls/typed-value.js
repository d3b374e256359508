/** Values that stand in a text without quotes: their type is in the tool's JSON Schema. */
import { isJsonObject } from '@longhaul/tasks';
import { parseJson } from './json-value.js';
import { parsePython } from './python-value.js';
/**
 * What a text means as the parameter `name` of a tool. A string stays as it is. For other types JSON is read, or a literal of
 * Python (`True`, `{'a': 1}`); if neither gives one of the types of the schema, the text is the value, so that the check of
 * the arguments can say what is wrong. A parameter without a type is JSON if the text is, else text.
 *
 * @param parameters JSON Schema of the tool's arguments
 */
export function typedValue(text, name, parameters) {
    const properties = parameters['properties'];
    const schema = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const types = typesOf(schema, parameters, new Set());
    const trimmed = text.trim();
    for (const value of types.size === 0 ? [parseJson(trimmed)] : [parseJson(trimmed), parsePython(trimmed)]) {
        // A string that looks like a literal is the text with its quotes.
        if (value !== undefined && typeof value !== 'string' && (types.size === 0 || fits(value, types)))
            return value;
    }
    return text;
}
/** @param seen the schemas that were looked at: a schema may refer to itself */
function typesOf(schema, root, seen) {
    if (!isJsonObject(schema) || seen.has(schema))
        return new Set();
    seen.add(schema);
    const stated = schema['type'];
    if (typeof stated === 'string')
        return new Set([stated]);
    if (Array.isArray(stated))
        return new Set(stated.filter((type) => typeof type === 'string'));
    if (Array.isArray(schema['enum']))
        return new Set(schema['enum'].map(typeOf));
    if (schema['const'] !== undefined)
        return new Set([typeOf(schema['const'])]);
    const reference = schema['$ref'];
    if (typeof reference === 'string')
        return typesOf(referred(reference, root), root, seen);
    const inner = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap((schemas) => (Array.isArray(schemas) ? schemas : []));
    return inner.reduce((types, one) => types.union(typesOf(one, root, seen)), new Set());
}
function referred(reference, root) {
    if (!reference.startsWith('#/'))
        return undefined;
    let place = root;
    for (const step of reference.slice(2).split('/')) {
        const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
        place = isJsonObject(place) && Object.hasOwn(place, key) ? place[key] : undefined;
    }
    return place;
}
function fits(value, types) {
    return types.has(typeOf(value)) || (types.has('integer') && Number.isInteger(value));
}
/** The type of a value as JSON Schema names it. */
function typeOf(value) {
    if (value === null)
        return 'null';
    return Array.isArray(value) ? 'array' : typeof value;
}
//# sourceMappingURL=typed-value.js.map