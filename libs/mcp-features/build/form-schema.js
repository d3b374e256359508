/** Forms from zod schemas: MCP lets a form have flat fields only, so that any client can show it. */
import { PrimitiveSchemaDefinitionSchema } from '@modelcontextprotocol/sdk/types.js';
import { mapOperation } from '@longhaul/tasks';
import { z } from 'zod';
import { requireZodObject } from './require-schema.js';
/** The formats that a text of a form can have. A client that gets another one refuses the whole form. */
const FORMATS = new Set(['email', 'uri', 'date', 'date-time']);
/**
 * The form of a schema. What of a field a form cannot say, such as a pattern, is left out: the answer is
 * checked against the schema anyway.
 *
 * @throws TypeError that names a field which is no text, number, boolean or choice; or says that this is no zod object
 */
export function formSchemaOf(schema) {
    requireZodObject('context.elicit', 'form', schema);
    const { properties = {}, required } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const fields = Object.entries(properties).map(([name, field]) => [name, formFieldOf(name, field)]);
    return { type: 'object', properties: Object.fromEntries(fields), ...(required !== undefined && { required }) };
}
/** The answer in the shape of the schema. @throws ZodError when what was accepted does not fit */
export function formAnswerOf(schema, { action, content }) {
    return action === 'accept' ? { action, content: schema.parse(content ?? {}) } : { action };
}
/**
 * Checks answers to a form that is asked in the words of the protocol. What was accepted stays as the client sent it: nothing
 * is left out, and no default filled in.
 *
 * @returns the answer itself; throws a ZodError when what was accepted does not fit
 * @throws TypeError when the schema has something that answers cannot be checked for
 */
export function answerCheckOf(requestedSchema) {
    const schema = readableSchema(requestedSchema);
    return (answer) => {
        if (answer.action === 'accept')
            schema.parse(answer.content ?? {});
        return answer;
    };
}
/**
 * Asks what the params of an elicitation say, and checks what is accepted of a form; a URL to open has nothing to be checked.
 *
 * @throws ZodError when what was accepted does not fit; TypeError, before anything is asked, as `answerCheckOf`
 */
export function withAnswerChecked(params, ask) {
    if (params.mode === 'url')
        return ask();
    try {
        // Not by `await`: a task notices when the author forgets to await what is returned here.
        const checked = answerCheckOf(params.requestedSchema);
        return mapOperation(ask(), checked);
    }
    catch (error) {
        return Promise.reject(error);
    }
}
function readableSchema(requestedSchema) {
    try {
        const { properties, ...rest } = requestedSchema;
        const fields = Object.entries(properties).map(([name, field]) => [name, withoutDefault(field)]);
        // Not in the global registry, which would keep a schema with an id for ever.
        return z.fromJSONSchema({ ...rest, properties: Object.fromEntries(fields) }, { registry: z.registry() });
    }
    catch (error) {
        throw new TypeError(`Answers to a form cannot be checked against its requestedSchema: ${error.message}`, { cause: error });
    }
}
/** A default is for the client to fill in; a field without a value is missing all the same. */
function withoutDefault(field) {
    const { default: _, ...rest } = field;
    return rest;
}
function formFieldOf(name, field) {
    const parsed = PrimitiveSchemaDefinitionSchema.safeParse(withFormatOfForms(field));
    if (!parsed.success)
        throw new TypeError(`A form cannot have the field "${name}": only texts, numbers, booleans and choices.`);
    return parsed.data;
}
function withFormatOfForms(field) {
    if (typeof field === 'boolean' || FORMATS.has(field.format))
        return field;
    const { format: _, ...rest } = field;
    return rest;
}
//# sourceMappingURL=form-schema.js.map