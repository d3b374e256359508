/** Provides the common operations of tests of multi round-trip requests. */
import { expect } from 'vitest';
import type { Answer } from './modern-client.js';

/** An answer that asks. */
export interface Asked {
  readonly inputRequests: Readonly<Record<string, { readonly method: string; readonly params: Record<string, unknown> }>>;
  readonly requestState: string;
}

/** The questions in the answer. */
export function askedBy({ result, error }: Answer): Asked {
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as string });
  return result as unknown as Asked;
}

/** The additions to the same request when it is repeated with answers. */
export function again({ requestState }: Pick<Asked, 'requestState'>, inputResponses?: unknown): object {
  return { requestState, ...(inputResponses !== undefined && { inputResponses }) };
}

/** The key under which a form with this message is asked. */
export function keyOf({ inputRequests }: Asked, message: string): string {
  const found = Object.entries(inputRequests).find(([, { params }]) => params['message'] === message);
  if (found === undefined) throw new Error(`"${message}" is not asked.`);
  return found[0];
}

export function messagesOf({ inputRequests }: Asked): unknown[] {
  return Object.values(inputRequests).map(({ params }) => params['message']);
}

/** The text of a tool's result. */
export function textOf({ result }: Pick<Answer, 'result'>): string {
  return (result as { content?: { text: string }[] }).content?.[0]?.text ?? '';
}
