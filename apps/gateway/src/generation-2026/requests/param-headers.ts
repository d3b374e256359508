/**
 * Checks the `Mcp-Param-*` headers, in which clients repeat the arguments that a tool has marked. A proxy may act on a header, so a call is
 * refused unless its headers agree with its arguments.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FeatureRegistry, HeaderParam } from '@longhaul/mcp-features';
import { Refusal, RpcCode } from '../../rpc/errors.js';
import { decodedValue, headerValue } from './header-values.js';
import type { Request } from './inbound.js';

const PREFIX = 'Mcp-Param-';

/** The permitted characters of a header's value. */
const PLAIN = /^[\t\x20-\x7e]*$/;

/** A whole number in any decimal notation. */
const WHOLE = /^-?\d+(\.0+)?$/;

/** @throws Refusal 400 for a call with wrong headers */
export type ParamHeaderCheck = (headers: IncomingHttpHeaders, request: Pick<Request, 'method' | 'params'>) => void;

export function createParamHeaderCheck(features: Pick<FeatureRegistry, 'tool'>): ParamHeaderCheck {
  const paramsOf = (tool: unknown): readonly HeaderParam[] => (typeof tool === 'string' ? (features.tool(tool)?.headerParams ?? []) : []);
  return (headers, { method, params }) => {
    if (method !== 'tools/call') return;
    for (const param of paramsOf(params['name'])) {
      const header = `${PREFIX}${param.name}`;
      const problem = problemOf(param, headerValue(headers, header.toLowerCase()), valueAt(params['arguments'], param.path));
      if (problem === undefined) continue;
      throw new Refusal(400, RpcCode.HeaderMismatch, `Header mismatch: the ${header} header ${problem}`, {}, { header });
    }
  };
}

/** @returns the mistake of a header, if there is one */
function problemOf({ path, type }: HeaderParam, header: string | undefined, value: unknown): string | undefined {
  const argument = `arguments.${path.join('.')}`;
  const said = header === undefined ? undefined : decoded(header);
  if (header !== undefined && said === undefined) return 'is neither plain ASCII nor Base64 of UTF-8';
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return `cannot stand for ${argument}, which must be from -(2^53 - 1) to 2^53 - 1`;
  if (!isPrimitive(value)) {
    // A header cannot express it: the tool refuses an argument of a wrong type.
    return said === undefined ? undefined : `has a value, and ${argument} has none that a header can have`;
  }
  if (said === undefined) return `is missing, and ${argument} has a value`;
  const isSame = said === String(value) || (type === 'integer' && typeof value === 'number' && WHOLE.test(said) && Number(said) === value);
  return isSame ? undefined : `has another value than ${argument}`;
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** @returns undefined for a value that clients may not send */
function decoded(header: string): string | undefined {
  return PLAIN.test(header) ? decodedValue(header) : undefined;
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let at = args;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}
