/**
 * Reads a body as JSON. One scan of the text counts its values and their depth, and refuses too many before anything is built. A value
 * takes far more memory than its characters, and accepted values are serialised again later, which recurses.
 */
import { textOfBody } from '@longhaul/runtime/byte-order-mark';
import { Refusal, RpcCode } from '../rpc/errors.js';
import { withoutNulls } from '../rpc/null-as-absent.js';

const MAX_DEPTH = 256;
/** V8's memory for a value in an object or an array, with room for a small object: measured with `[{},{},…]`. */
const BYTES_OF_VALUE = 64;

/** A text that may be parsed. */
export interface ScannedBody {
  readonly text: string;
  /** The approximate memory of text and values while the request is in work. */
  readonly bytes: number;
}

/** The text of a body, without its byte order mark. @throws Refusal -32700 when it is not UTF-8 */
export function textOfJsonBody(body: Buffer): string {
  const text = textOfBody(body);
  if (text === undefined) throw new Refusal(400, RpcCode.ParseError, 'Parse error: the body must be JSON in UTF-8');
  return text;
}

/** @throws Refusal 413 for more values than allowed, 400 for values that are nested too deeply */
export function scanJsonBody(text: string, maxValues: number): ScannedBody {
  let depth = 0;
  // Each value but the first follows a comma, or is the first one in an object or a list, if that is not empty.
  let values = 1;
  let isEmpty = false;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === 0x5c) at++;
      else if (character === 0x22) inString = false;
    } else if (character === 0x7b || character === 0x5b) {
      values++;
      isEmpty = true;
      if (++depth > MAX_DEPTH) throw tooDeep();
    } else if (character === 0x7d || character === 0x5d) {
      if (isEmpty) values--;
      isEmpty = false;
      depth--;
    } else if (character > 0x20) {
      isEmpty = false;
      if (character === 0x22) inString = true;
      else if (character === 0x2c) values++;
    }
  }
  if (values > maxValues) throw tooMany(maxValues);
  return { text, bytes: 2 * text.length + BYTES_OF_VALUE * values };
}

/** @throws Refusal -32700 when it is not JSON */
export function parseJsonBody({ text }: ScannedBody): unknown {
  try {
    const body = JSON.parse(text) as unknown;
    return text.includes('null') ? withoutNulls(body) : body;
  } catch {
    throw new Refusal(400, RpcCode.ParseError, 'Parse error: Invalid JSON');
  }
}

function tooDeep(): Refusal {
  return new Refusal(400, RpcCode.InvalidRequest, `Invalid Request: nested deeper than ${MAX_DEPTH} levels`);
}

function tooMany(maxValues: number): Refusal {
  return new Refusal(413, RpcCode.Transport, `The JSON of the request body has more than ${maxValues} values`);
}
