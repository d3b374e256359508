/**
 * Checks the schemas of features where these are defined. Types find the same mistakes, but features are written in JavaScript too, and
 * Node runs TypeScript without a look at its types.
 */
const EXAMPLE = 'z.object({ city: z.string() })';
/**
 * @param owner whose schema it is, as in `Tool echo`
 * @param member of the definition
 * @throws TypeError that names both, and says what is expected, for what is no object schema of zod 4
 */
export function requireZodObject(owner, member, schema) {
    const problem = problemOf(schema);
    if (problem !== undefined)
        throw new TypeError(`${owner}: "${member}" ${problem}.`);
}
/** The same, but a JSON Schema will do as well. @throws TypeError */
export function requireInputSchema(owner, input) {
    if (input === undefined)
        throw new TypeError(`${owner} has no "input": give it a zod object such as ${EXAMPLE}, or z.object({}) if it takes no arguments.`);
    if (!isJsonSchema(input))
        requireZodObject(owner, 'input', input);
}
function problemOf(schema) {
    if (typeof schema !== 'object' || schema === null)
        return `is no zod object: write it as ${EXAMPLE}`;
    const zodType = zodTypeOf(schema);
    if (zodType === 'object')
        return undefined;
    if (zodType !== undefined)
        return `is a zod ${zodType} and has to be a zod object: write it as ${EXAMPLE}`;
    if (isZod3(schema))
        return ZOD_3;
    const members = Object.values(schema);
    if (members.some((member) => isZod3(member)))
        return ZOD_3;
    if (members.some((member) => zodTypeOf(member) !== undefined))
        return 'has zod types as its members: put z.object(…) around them';
    return `is no zod object: write it as ${EXAMPLE}`;
}
const ZOD_3 = "was made by zod 3: install zod 4, or import { z } from 'zod/v4' if your zod is 3.25 or newer";
/** What kind of type of zod 4 it is, as in `string`; nothing for anything else. */
function zodTypeOf(value) {
    const { _zod: zod } = (typeof value === 'object' && value !== null ? value : {});
    return zod?.def?.type;
}
function isZod3(value) {
    return typeof value === 'object' && value !== null && 'safeParse' in value && '_def' in value && !('_zod' in value);
}
function isJsonSchema(value) {
    return typeof value === 'object' && value !== null && !('safeParse' in value) && 'type' in value && value.type === 'object';
}
//# sourceMappingURL=require-schema.js.map