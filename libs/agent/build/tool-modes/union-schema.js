/**
 * The JSON Schema of a reply that is a call of one of the tools or an answer. A grammar is made of it, so it keeps only what gives
 * the structure: engines refuse what they do not know (patterns without anchors, long repetitions), and the tool checks its
 * arguments anyway. Objects with listed members get no others, because a small model would go on inventing some.
 */
import { isJsonObject } from '@longhaul/tasks';
/** Keywords whose value is no schema. */
const PLAIN = new Set(['type', 'enum', 'const', 'required']);
/** Keywords whose value is a schema of something inside, or a list of them. */
const INSIDE = new Set(['items', 'prefixItems', 'additionalProperties']);
/** Keywords whose value lists schemas of the same thing. */
const BESIDE = ['anyOf', 'oneOf', 'allOf'];
/** Keywords whose value has schemas as its members. */
const NAMED = new Set(['properties', '$defs', 'definitions']);
/** With one of these, an object may have members that are not listed here. */
const OPENING = [...BESIDE, '$ref', 'additionalProperties', 'patternProperties'];
/** A reply is `{"tool", "arguments"}` or `{"answer"}`. The answer fits `outputSchema`, or is a string if there is none. */
export function unionSchema(tools, outputSchema) {
    const calls = tools.map(({ name }) => closedObject({ tool: { const: name }, arguments: { $ref: `#/$defs/tool_${name}` } }));
    const schemas = tools.map(({ name, parameters }) => [
        `tool_${name}`,
        { properties: {}, ...parameters, type: 'object' },
    ]);
    const answer = closedObject({ answer: outputSchema === undefined ? { type: 'string' } : { $ref: '#/$defs/answer' } });
    if (outputSchema !== undefined)
        schemas.push(['answer', outputSchema]);
    return {
        anyOf: [...calls, answer],
        $defs: Object.fromEntries(schemas.map(([key, schema]) => [key, structureOf(schema, `#/$defs/${key}`)])),
    };
}
function closedObject(properties) {
    return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
/**
 * @param place where the whole schema stands now, for the references in it
 * @param isPart whether other schemas say more about the same object, so that it cannot be closed
 */
function structureOf(schema, place, isPart = false) {
    if (!isJsonObject(schema))
        return schema ?? {};
    const hasMembers = isJsonObject(schema['properties']);
    const kept = Object.entries(schema).flatMap(([keyword, value]) => {
        if (PLAIN.has(keyword))
            return [[keyword, value]];
        if (keyword === '$ref' && typeof value === 'string')
            return [[keyword, value.startsWith('#') ? `${place}${value.slice(1)}` : value]];
        if (INSIDE.has(keyword))
            return [[keyword, structuresOf(value, place, false)]];
        if (BESIDE.includes(keyword))
            return [[keyword, structuresOf(value, place, isPart || hasMembers || keyword === 'allOf')]];
        if (!NAMED.has(keyword) || !isJsonObject(value))
            return [];
        return [[keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, structureOf(one, place)]))]];
    });
    const isOpen = isPart || !hasMembers || OPENING.some((keyword) => schema[keyword] !== undefined);
    return Object.fromEntries(isOpen ? kept : [...kept, ['additionalProperties', false]]);
}
function structuresOf(value, place, isPart) {
    return Array.isArray(value) ? value.map((one) => structureOf(one, place, isPart)) : structureOf(value, place, isPart);
}
//# sourceMappingURL=union-schema.js.map