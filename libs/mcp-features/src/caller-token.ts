/**
 * The token that a caller has shown, for the exchange of tokens (RFC 8693) alone. Features do not see it: it is no member of a context that
 * could be copied, printed or recorded.
 */
import type { RequestContext } from './request-context.js';

const TOKEN = Symbol.for('longhaul.caller-token');

/** Gives a context the token of its caller, which has been verified. */
export function giveCallerToken(context: RequestContext, token: () => string): void {
  Object.defineProperty(context, TOKEN, { value: token });
}

/** @returns nothing for a caller without a token of an authorization server */
export function callerTokenOf(context: RequestContext & { readonly [TOKEN]?: () => string }): string | undefined {
  return context[TOKEN]?.();
}
