/** Reads a client's answer to a request, by the schema of the request's method. */
import { describeIssues, parseUntrusted } from '@longhaul/mcp-features';
import { checkedAnswer, type InputAnswer, isJsonObject, type JsonObject, TaskError } from '@longhaul/tasks';
import {
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
  CreateTaskResultSchema,
  GetTaskResultSchema,
  ListRootsResultSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { RpcCode } from '../errors.js';
import type { RpcAnswer } from '../messages.js';

/** The part of the answered request that matters here. */
interface AskedInput {
  readonly method: string;
  readonly params: JsonObject;
}

const ErrorSchema = z.object({ code: z.int(), message: z.string(), data: z.json().optional() });

const ELICITATION = 'elicitation/create';

/**
 * The answer in the form that is recorded.
 *
 * @throws TaskError `ANSWER_DOES_NOT_FIT` with a sentence that names the field
 */
export function inputAnswerOf(asked: AskedInput, { result, error }: RpcAnswer): InputAnswer {
  const { method, params } = asked;
  if (error !== undefined) {
    const parsed = parseUntrusted(ErrorSchema, error);
    if (!parsed.success) throw misfit('error', parsed.error);
    const { data, ...failure } = parsed.data;
    return { error: { ...failure, ...(data !== undefined && { data }) } };
  }
  const isTheirTask = isTask(result) && params['task'] !== undefined;
  if (method === ELICITATION && !isTheirTask) return checkedAnswer(asked, { response: isJsonObject(result) ? result : {} });
  const parsed = parseUntrusted(isTheirTask ? CreateTaskResultSchema : resultSchemaOf(method, params), result);
  if (!parsed.success) throw misfit('result', parsed.error);
  return { response: parsed.data as JsonObject };
}

/**
 * The same for an answer that cannot be refused. A question to a person is asked again. A mistake of the client's own program becomes an
 * error: the task continues with it, instead of waiting for an answer that the client believes it has given.
 *
 * @throws TaskError `ANSWER_DOES_NOT_FIT` for an elicitation
 */
export function answerOrError(asked: AskedInput, answer: RpcAnswer): InputAnswer {
  try {
    return inputAnswerOf(asked, answer);
  } catch (error) {
    if (asked.method === ELICITATION || !isMisfit(error)) throw error;
    return { error: { code: RpcCode.InvalidParams, message: error.message } };
  }
}

/** Whether the error says that an answer does not fit. */
export function isMisfit(error: unknown): error is TaskError {
  return error instanceof TaskError && error.code === 'ANSWER_DOES_NOT_FIT';
}

/** A client that was asked to run the request as a task may do so, or answer at once. */
function isTask(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'task' in result;
}

function resultSchemaOf(method: string, params: JsonObject): z.ZodType {
  switch (method) {
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

function misfit(member: string, error: z.ZodError): TaskError {
  return new TaskError('ANSWER_DOES_NOT_FIT', `The client's answer is invalid: ${describeIssues(error, member)}`);
}
