/**
 * A client's answer to an input, as it is recorded. An answer that does not have the shape which the
 * asked method requires is recorded as an error: the task hears of it and goes on, instead of waiting
 * for an answer that the client believes to have given.
 */
import { describeIssues, parseUntrusted } from '@longhaul/mcp-features';
import { CreateMessageResultSchema, CreateMessageResultWithToolsSchema, CreateTaskResultSchema, ElicitResultSchema, GetTaskResultSchema, ListRootsResultSchema, ResultSchema, } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { RpcCode } from '../errors.js';
const ErrorSchema = z.object({ code: z.int(), message: z.string(), data: z.json().optional() });
export function inputAnswerOf({ method, params }, { result, error }) {
    if (error !== undefined) {
        const parsed = parseUntrusted(ErrorSchema, error);
        if (!parsed.success)
            return invalidAnswer('error', parsed.error);
        const { data, ...failure } = parsed.data;
        return { error: { ...failure, ...(data !== undefined && { data }) } };
    }
    const schema = isTask(result) && params['task'] !== undefined ? CreateTaskResultSchema : resultSchemaOf(method, params);
    const parsed = parseUntrusted(schema, result);
    return parsed.success ? { response: parsed.data } : invalidAnswer('result', parsed.error);
}
/** A client that was asked to run the request as a task may do so, or answer at once. */
function isTask(result) {
    return typeof result === 'object' && result !== null && 'task' in result;
}
function resultSchemaOf(method, params) {
    switch (method) {
        case 'elicitation/create':
            return ElicitResultSchema;
        case 'sampling/createMessage':
            return params['tools'] === undefined ? CreateMessageResultSchema : CreateMessageResultWithToolsSchema;
        case 'roots/list':
            return ListRootsResultSchema;
        case 'tasks/get':
            return GetTaskResultSchema;
        default:
            return ResultSchema; // `tasks/result` among them: its task knows what it asked for.
    }
}
function invalidAnswer(member, error) {
    return { error: { code: RpcCode.InvalidParams, message: `The client's answer is invalid: ${describeIssues(error, member)}` } };
}
//# sourceMappingURL=client-response.js.map