/**
 * The `Mcp-Param-*` headers, in which clients repeat the arguments that a tool has marked. What stands in front of
 * the gateway may act on a header, so a call is refused unless its headers say the same as its arguments. The SDK
 * checks the other headers, but these only for servers of its high-level kind.
 */
import type { FeatureRegistry, HeaderParam } from '@longhaul/mcp-features';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { RpcCode } from '../rpc/errors.js';
import { GENERATION } from './extension.js';

const PREFIX = 'Mcp-Param-';

/** A value of a header in Base64. */
const ENCODED = /^=\?base64\?(.*)\?=$/;

/** What a header's value may consist of. */
const PLAIN = /^[\t\x20-\x7e]*$/;

/** A whole number in any decimal notation. */
const WHOLE = /^-?\d+(\.0+)?$/;

/** Of another revision, or as anything but a call, a message is refused or not called at all. */
const Call = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('tools/call'),
  params: z.object({
    name: z.string(),
    arguments: z.unknown(),
    _meta: z.object({ [PROTOCOL_VERSION_META_KEY]: z.literal(GENERATION) }),
  }),
});

/** @returns the answer to a call whose headers are wrong; nothing for any other message */
export type ParamHeaderCheck = (headers: Headers, body: unknown) => Response | undefined;

export function createParamHeaderCheck({ tools }: FeatureRegistry): ParamHeaderCheck {
  const paramsOf = new Map(tools.filter(({ headerParams }) => headerParams.length > 0).map((tool) => [tool.name, tool.headerParams]));
  return (headers, body) => {
    if (paramsOf.size === 0 || (body as { readonly method?: unknown } | null)?.method !== 'tools/call') return undefined;
    const { data: call } = Call.safeParse(body);
    if (call === undefined) return undefined;
    const { id, params } = call;
    for (const param of paramsOf.get(params.name) ?? []) {
      const header = `${PREFIX}${param.name}`;
      const problem = problemOf(param, headers.get(header), valueAt(params.arguments, param.path));
      if (problem === undefined) continue;
      const error = { code: RpcCode.HeaderMismatch, message: `Header mismatch: the ${header} header ${problem}`, data: { header } };
      return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 });
    }
    return undefined;
  };
}

/** @returns what is wrong with a header, if anything is */
function problemOf({ path, type }: HeaderParam, header: string | null, value: unknown): string | undefined {
  const argument = `arguments.${path.join('.')}`;
  const said = header === null ? undefined : decoded(header);
  if (header !== null && said === undefined) return 'is neither plain ASCII nor Base64 of UTF-8';
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return `cannot stand for ${argument}, which must be from -(2^53 - 1) to 2^53 - 1`;
  if (!isPrimitive(value)) {
    // No header can say it: an argument of a wrong type is for the tool to refuse.
    return said === undefined ? undefined : `has a value, and ${argument} has none that a header can have`;
  }
  if (said === undefined) return `is missing, and ${argument} has a value`;
  const isSame = said === String(value) || (type === 'integer' && typeof value === 'number' && WHOLE.test(said) && Number(said) === value);
  return isSame ? undefined : `has another value than ${argument}`;
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** @returns undefined for a value that no client may send */
function decoded(header: string): string | undefined {
  if (!PLAIN.test(header)) return undefined;
  const [, base64] = ENCODED.exec(header) ?? [];
  if (base64 === undefined) return header;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // Not UTF-8.
  }
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let at = args;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}
