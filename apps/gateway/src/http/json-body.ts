/**
 * Reads a body as JSON. Nesting is limited before anything is parsed: what is accepted here is
 * serialised again later, and that recurses.
 */
import { Refusal, RpcCode } from '../rpc/errors.js';
import { withoutNulls } from '../rpc/null-as-absent.js';

const MAX_DEPTH = 256;

/** @throws Refusal -32700 when it is not JSON, -32600 when it is nested too deeply */
export function parseJsonBody(text: string): unknown {
  if (isNestedDeeperThan(MAX_DEPTH, text))
    throw new Refusal(400, RpcCode.InvalidRequest, `Invalid Request: nested deeper than ${MAX_DEPTH} levels`);
  try {
    const body = JSON.parse(text) as unknown;
    return text.includes('null') ? withoutNulls(body) : body;
  } catch {
    throw new Refusal(400, RpcCode.ParseError, 'Parse error: Invalid JSON');
  }
}

function isNestedDeeperThan(limit: number, text: string): boolean {
  if (text.length <= 2 * limit) return false; // Every level takes two characters.
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === 0x5c) at++;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > limit) return true;
    } else if (character === 0x7d || character === 0x5d) depth--;
  }
  return false;
}
