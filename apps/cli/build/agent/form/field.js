import { multipleChoice, singleChoice } from './choice.js';
import { number, truth } from './number.js';
import { text } from './text.js';
/** @throws TypeError for a field that no form can have */
export function fieldOf(name, schema, isRequired) {
    const kind = kindOf(name, schema);
    const fallback = schema.default;
    return {
        name,
        title: schema.title ?? name,
        ...(schema.description !== undefined && { description: schema.description }),
        hint: kind.hint,
        choices: kind.choices ?? [],
        isRequired,
        ...(fallback !== undefined && { default: shown(fallback) }),
        read(typed) {
            const given = typed.trim();
            if (given !== '')
                return kind.read(given);
            if (fallback !== undefined)
                return { value: fallback };
            return isRequired ? { problem: 'An answer is needed.' } : { value: undefined };
        },
    };
}
function kindOf(name, schema) {
    if (schema.type === 'boolean')
        return truth();
    if (schema.type === 'number' || schema.type === 'integer')
        return number(schema);
    if (schema.type === 'array')
        return multipleChoice(schema);
    if (schema.type !== 'string')
        throw new TypeError(`The field "${name}" is no text, number, yes or no, or choice.`);
    return 'enum' in schema || 'oneOf' in schema ? singleChoice(schema) : text(schema);
}
function shown(value) {
    if (typeof value === 'boolean')
        return value ? 'yes' : 'no';
    return Array.isArray(value) ? value.join(', ') : String(value);
}
//# sourceMappingURL=field.js.map