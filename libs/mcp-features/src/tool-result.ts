import { cutText, FIELD_LIMITS, JsonRpcCode, notJson, readableThrown, TaskError, TerminalError, thrownText } from '@longhaul/tasks';
import { type CallToolResult, type ContentBlock, ContentBlockSchema } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { publishFeatureError } from './feature-errors.js';

const MAX_ISSUES = 20;
const MAX_ISSUE_BYTES = 512;

/** An error with a numeric `code`, which makes it a JSON-RPC error of the call instead of a result with `isError`. */
export class ProtocolError extends Error {
  override readonly name: string = 'ProtocolError';

  /** @param code a JSON-RPC error code, such as -32602 for invalid params */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A result that says in words what went wrong; the model reads it. */
export function errorResult(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/**
 * The result for something thrown by a tool; a long message is cut.
 *
 * @param what the tool, as in `Tool echo`
 * @throws ProtocolError when that is a JSON-RPC error: an error of any class with a numeric code
 */
export function resultOfThrown(what: string, thrown: unknown): CallToolResult {
  const error = readableThrown(thrown);
  if (isRpcError(error)) throw sendable(what, error);
  publishFeatureError(what, error);
  return errorResult(messageOf(error));
}

/** It may repeat what the client has sent, which may be long. */
function messageOf(error: unknown): string {
  return cutText(thrownText(error), FIELD_LIMITS.errorMessageBytes);
}

/**
 * Runs a prompt, a resource or a completion. Every thrown error becomes a JSON-RPC error, because these results have no member for errors.
 * It keeps its own code if it has one, otherwise it becomes an internal error with its message.
 *
 * @param what its kind and name, as in `Prompt greet`
 * @param feature its name in the log, if `what` has something of the caller. @defaultValue `what`
 * @throws ProtocolError. TaskError when the store could not be reached, or the client could not be asked.
 */
export async function resultOrError<T>(what: string, run: () => Promise<T> | T, feature = what): Promise<T> {
  try {
    return requireJson(what, await run());
  } catch (thrown) {
    const error = readableThrown(thrown);
    if (error instanceof TaskError) throw error;
    if (isRpcError(error)) throw sendable(what, error);
    publishFeatureError(feature, error);
    throw new ProtocolError(JsonRpcCode.InternalError, messageOf(error));
  }
}

/** A DOMException, such as a timeout, has a numeric code as well, which is none of JSON-RPC. */
function isRpcError(error: unknown): error is Error & { code: number; data?: unknown } {
  return error instanceof Error && !(error instanceof DOMException) && 'code' in error && Number.isSafeInteger(error.code);
}

/** The error in a form that can be sent, with a shortened message. Data that is not JSON is left out; then the message names the origin. */
function sendable(what: string, error: Error & { code: number; data?: unknown }): ProtocolError {
  const { code, data } = error;
  const message = messageOf(error);
  const problem = notJson(data);
  if (problem !== undefined) return new ProtocolError(code, `${what}: ${message} (the data of this error is not JSON: ${problem})`);
  return error instanceof ProtocolError && message === error.message ? error : new ProtocolError(code, message, data);
}

/** @param what has returned the value, as in `Tool echo`. @throws TerminalError that names it when the value is not JSON */
export function requireJson<T>(what: string, value: T): T {
  const problem = notJson(value);
  if (problem !== undefined) throw new TerminalError(`${what} returned what is not JSON: ${problem}.`);
  return value;
}

/**
 * Converts the return value of a tool into a call result. A string becomes a text. The value of an output schema becomes structured
 * content, with its JSON as text. An array of content is the content itself. Any other value becomes JSON text. A full result stays as it
 * is, but its structured content is checked as well, unless the result is an error.
 *
 * @param what the tool, as in `Tool echo`
 * @throws TerminalError that names the tool. It is thrown when the value is not JSON, or when it, or the structured content of a full
 * result, does not fit the output schema.
 */
export function toCallToolResult(what: string, value: unknown, output?: z.ZodType): CallToolResult {
  if (isCallToolResult(value)) {
    const isChecked = output !== undefined && value.isError !== true;
    const result = isChecked ? { ...value, structuredContent: structured(what, value.structuredContent, output) } : value;
    const wrong = result.content.findIndex((block) => typeof block !== 'object' || block === null);
    if (wrong >= 0) throw new TerminalError(`${what} returned content.${wrong}, which is no object.`);
    return requireJson(what, result);
  }
  if (output !== undefined) {
    const structuredContent = structured(what, value, output);
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  }
  requireJson(what, value);
  if (isContent(value)) return { content: [...value] };
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return { content: [{ type: 'text', text }] };
}

function structured(what: string, value: unknown, output: z.ZodType): Record<string, unknown> {
  const parsed = output.safeParse(value);
  if (!parsed.success)
    throw new TerminalError(`${what} returned what does not fit its output schema: ${describeIssues(parsed.error, 'it')}`);
  return requireJson(what, parsed.data as Record<string, unknown>);
}

/** Whether a value is content, as in a full result. An empty array may as well be the value of a tool that has found nothing. */
function isContent(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.length > 0 && value.every((block) => ContentBlockSchema.safeParse(block).success);
}

function isCallToolResult(value: unknown): value is CallToolResult {
  return typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content);
}

/**
 * One clause per wrong field: its path and the expected value. A client's value can cause many and long clauses, because paths have the
 * names of its members. So only the first ones are named, each shortened to a readable length.
 *
 * @param root the name of a field without a path
 */
export function describeIssues({ issues }: { readonly issues: readonly z.core.$ZodIssue[] }, root = 'arguments'): string {
  const clauses = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const field = path.length === 0 ? root : path.map((member) => cutText(String(member), MAX_ISSUE_BYTES)).join('.');
    return cutText(`${field}: ${message}`, MAX_ISSUE_BYTES);
  });
  const more = issues.length - clauses.length;
  return [...clauses, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
