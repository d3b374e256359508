/**
 * Limits single fields in the params of any method, of both protocol versions: fields that are kept, sent back or looked up are measured
 * before a method sees them. Errors name the field and the limit, and never repeat the value.
 */
import { hasAtMost } from '@longhaul/mcp-features';
import { FIELD_LIMITS, isJsonObject } from '@longhaul/tasks';
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js';
import { invalidParams } from './errors.js';
import { unfit } from './messages.js';

/** Member of `_meta` under which a client may name its call, so that repeating the call gives the same task. */
export const IDEMPOTENCY_KEY = 'longhaul/idempotencyKey';

/** The most that a call may spend. */
export const BUDGET = 'longhaul/budget';

/** A field, given by the members that lead to it; a text, or any value with `isJson`. */
interface LimitedField {
  readonly path: readonly string[];
  /** The name in errors. */
  readonly name: string;
  readonly maxBytes: number;
  readonly isJson: boolean;
}

function text(path: readonly string[], maxBytes: number): LimitedField {
  return { path, name: nameOf(path), maxBytes, isJson: false };
}

function json(path: readonly string[], maxBytes: number): LimitedField {
  return { path, name: `The JSON of ${nameOf(path)}`, maxBytes, isJson: true };
}

/** By the first member, because most requests have one or two. */
const FIELDS: ReadonlyMap<string | undefined, readonly LimitedField[]> = Map.groupBy(
  [
    text(['_meta', 'progressToken'], FIELD_LIMITS.progressTokenBytes),
    text(['_meta', IDEMPOTENCY_KEY], FIELD_LIMITS.idempotencyKeyBytes),
    text(['_meta', RELATED_TASK_META_KEY, 'taskId'], FIELD_LIMITS.idBytes),
    text(['name'], FIELD_LIMITS.nameBytes),
    text(['uri'], FIELD_LIMITS.uriBytes),
    text(['cursor'], FIELD_LIMITS.cursorBytes),
    text(['taskId'], FIELD_LIMITS.idBytes),
    text(['level'], FIELD_LIMITS.nameBytes),
    text(['ref', 'name'], FIELD_LIMITS.nameBytes),
    text(['ref', 'uri'], FIELD_LIMITS.uriBytes),
    text(['argument', 'name'], FIELD_LIMITS.nameBytes),
    text(['argument', 'value'], FIELD_LIMITS.completionValueBytes),
    json(['context', 'arguments'], FIELD_LIMITS.completionArgumentsBytes),
  ],
  ({ path: [member] }) => member,
);

/** @throws ProtocolError -32602 for a field that is too long, or has half of a character */
export function checkParams(params: object | undefined): void {
  for (const member of Object.keys(params ?? {}))
    for (const { path, name, maxBytes, isJson } of FIELDS.get(member) ?? []) {
      const value = valueAt(params, path);
      if (typeof value === 'string') check(name, value, maxBytes);
      else if (isJson && value !== undefined) check(name, JSON.stringify(value), maxBytes);
    }
  checkMembers(params, 'inputResponses');
}

/** @throws ProtocolError -32602 when the member of the params has too many members for a schema to check one by one */
export function checkMembers(params: unknown, member: string): void {
  const value = valueAt(params, [member]);
  const members = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  if (members > FIELD_LIMITS.namedValues)
    throw invalidParams(`${nameOf([member])} has ${members} members; at most ${FIELD_LIMITS.namedValues} are allowed`);
}

/** The client's description of itself, and the field that contains it. */
interface SaidOfClient {
  readonly capabilities: unknown;
  readonly clientInfo: unknown;
  readonly nameOf: (member: 'capabilities' | 'clientInfo') => string;
}

/**
 * Must be called before a schema checks it, which costs more than measuring it.
 *
 * @throws ProtocolError -32602 when the client's description is too long for its tasks to record or for anyone to read
 */
export function checkClient({ capabilities, clientInfo, nameOf }: SaidOfClient): void {
  const { name, version } = isJsonObject(clientInfo) ? clientInfo : {};
  const recorded = JSON.stringify({ capabilities, name, version });
  check(`The JSON of ${nameOf('capabilities')} with name and version`, recorded, FIELD_LIMITS.clientBytes);
  if (!hasAtMost(FIELD_LIMITS.clientValues, clientInfo))
    throw invalidParams(`${nameOf('clientInfo')} has more than ${FIELD_LIMITS.clientValues} values`);
}

/** @throws ProtocolError -32602 */
export function check(field: string, text: string, maxBytes: number): void {
  const problem = unfit(field, text, maxBytes);
  if (problem !== undefined) throw invalidParams(problem);
}

function nameOf(path: readonly string[]): string {
  return `params${path.map((member) => (/^\w+$/.test(member) ? `.${member}` : `[${JSON.stringify(member)}]`)).join('')}`;
}

function valueAt(params: unknown, path: readonly string[]): unknown {
  let at = params;
  for (const member of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, member)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[member];
  }
  return at;
}
