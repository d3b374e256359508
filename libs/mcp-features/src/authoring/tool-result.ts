import { cutText, FIELD_LIMITS, TaskError } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';

const INTERNAL_ERROR = -32603;
const MAX_ISSUES = 20;
const MAX_ISSUE_BYTES = 512;

/** An error whose numeric `code` makes it a JSON-RPC error of the call instead of a result with `isError`. */
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
 * @throws ProtocolError when that is a JSON-RPC error: an error with a numeric code, whatever its class
 */
export function resultOfThrown(error: unknown): CallToolResult {
  if (error instanceof ProtocolError) throw error;
  if (isRpcError(error)) throw new ProtocolError(error.code, error.message, error.data);
  return errorResult(cutText(error instanceof Error ? error.message : String(error), FIELD_LIMITS.errorMessageBytes));
}

/**
 * What a prompt, a resource or a completion makes. Whatever it throws becomes a JSON-RPC error, because their results
 * have no place for one: with its own code if it has one, otherwise as an internal error that says what it says.
 *
 * @throws ProtocolError; TaskError when the store could not be reached, or the client could not be asked
 */
export async function resultOrError<T>(run: () => Promise<T> | T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof TaskError) throw error;
    if (isRpcError(error)) throw new ProtocolError(error.code, error.message, error.data);
    throw new ProtocolError(INTERNAL_ERROR, error instanceof Error ? error.message : String(error));
  }
}

/** A DOMException, such as a timeout, has a numeric code as well, which is none of JSON-RPC. */
function isRpcError(error: unknown): error is Error & { code: number; data?: unknown } {
  return error instanceof Error && !(error instanceof DOMException) && 'code' in error && typeof error.code === 'number';
}

/**
 * What a tool returned, as a call result: a text for a string, structured content (and its JSON as
 * text) for the value of an output schema, JSON text for any other value; a full result stays as it is,
 * but its structured content is checked as well, unless the result is an error.
 *
 * @throws ZodError when the value, or the structured content of a full result, does not fit the output schema
 */
export function toCallToolResult(value: unknown, output?: z.ZodType): CallToolResult {
  if (isCallToolResult(value)) {
    if (output === undefined || value.isError === true) return value;
    return { ...value, structuredContent: output.parse(value.structuredContent) as Record<string, unknown> };
  }
  if (output !== undefined) {
    const structuredContent = output.parse(value) as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return { content: [{ type: 'text', text }] };
}

function isCallToolResult(value: unknown): value is CallToolResult {
  return typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content);
}

/**
 * One clause per wrong field: its path and what is expected of it. What a client sends can make them many, and long, since
 * paths have the names of its members; so the first ones are told, and of each as much as can be read.
 *
 * @param root what a field is called that has no path
 */
export function describeIssues({ issues }: z.ZodError, root = 'arguments'): string {
  const told = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const field = path.length === 0 ? root : path.map((member) => cutText(String(member), MAX_ISSUE_BYTES)).join('.');
    return cutText(`${field}: ${message}`, MAX_ISSUE_BYTES);
  });
  const more = issues.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
