/**
 * Checks the messages of a server against the JSON Schemas of the specification: revision 2025-11-25 for sessions, and 2026-07-28 with its
 * tasks extension for requests that name that revision. Helpers that send requests call it for every answer, so each test that uses them
 * also tests the form of its answers.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject, type ErrorObject } from 'ajv/dist/2020.js';

type Json = Readonly<Record<string, unknown>>;

/** The part of the request that determines the form of its answers. */
export interface Asked {
  /** A message or a batch; absent where an answer may be to anything. */
  readonly body?: unknown;
}

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
const EXTENSION = 'tasks-extension';
type Source = (typeof REVISIONS)[number] | typeof EXTENSION;

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const ajv = new Ajv2020({
  strict: false,
  formats: { byte: base64, uri: (text) => URL.canParse(text), 'uri-template': /^[^{}]*(?:\{[^{}]+\}[^{}]*)*$/ },
});
const defs = {} as Record<Source, Readonly<Record<string, AnySchemaObject>>>;
for (const source of [...REVISIONS, EXTENSION] as const) {
  const schema = JSON.parse(readFileSync(new URL(`../fixtures/schemas/${source}.json`, import.meta.url), 'utf8')) as AnySchemaObject;
  const { $defs } = schema as { readonly $defs: Record<string, AnySchemaObject> };
  // Made from TypeScript by a tool that takes `number` for integers only, and knows no null.
  $defs['RequestId'] = { type: ['string', 'number'] };
  if ($defs['JSONValue'] !== undefined)
    $defs['JSONValue'] = { anyOf: [...($defs['JSONValue']['anyOf'] as unknown[]), { type: ['number', 'null'] }] };
  ajv.addSchema({ ...schema, $id: source });
  defs[source] = $defs;
}

/** The definition of each method, by its name: the names of requests end in `Request`, the others in `Notification`. */
const methods = Object.fromEntries(
  [...REVISIONS, EXTENSION].map((source) => [
    source,
    new Map(Object.entries(defs[source as Source]).flatMap(([name, def]) => methodOf(name, def))),
  ]),
) as unknown as Record<Source, ReadonlyMap<string, string>>;

function methodOf(name: string, def: AnySchemaObject): [string, string][] {
  const parts = [def, ...((def['allOf'] as AnySchemaObject[] | undefined) ?? [])];
  const found = parts.map((part) => (part['properties'] as { method?: { const?: string } } | undefined)?.method?.const);
  return found.flatMap((method) => (method === undefined ? [] : [[method, name]]));
}

/** @throws Error that names the method, the path and the value of what does not fit */
export function checkAnswers({ body }: Asked, messages: readonly unknown[]): void {
  const requests = ([body].flat() as (Json | undefined)[]).filter((message) => typeof message === 'object' && message !== null);
  // Sessions are opened in the older revision, no matter what else such a request says.
  const isModern = requests.some(({ method, params }) => method !== 'initialize' && revisionOf(params) === '2026-07-28');
  for (const message of messages.flat() as Json[]) {
    const request = requests.find(({ id }) => id === message['id']);
    if (isModern) checkModern(message, request);
    else checkSession(message, request);
  }
}

function revisionOf(params: unknown): unknown {
  const { _meta } = (params ?? {}) as { readonly _meta?: Json };
  return _meta?.['io.modelcontextprotocol/protocolVersion'];
}

function checkSession(message: Json, request: Json | undefined): void {
  const { method, result } = message;
  if (typeof method === 'string') return check('2025-11-25', known('2025-11-25', method), message, method);
  checkResponse('2025-11-25', message);
  const asked = request?.['method'];
  if (result === undefined || typeof asked !== 'string') return;
  const { task, content } = result as Json;
  if (asked === 'tools/call') return check('2025-11-25', task === undefined ? 'CallToolResult' : 'CreateTaskResult', result, asked);
  if (asked === 'tasks/result' && content !== undefined) return check('2025-11-25', 'CallToolResult', result, asked);
  check('2025-11-25', resultOf('2025-11-25', asked), result, asked);
}

function checkModern(message: Json, request: Json | undefined): void {
  const { method, params, result } = message;
  if (typeof method === 'string') {
    if ('id' in message) throw new Error(`${method}: revision 2026-07-28 has no requests of the server`);
    const source = methods[EXTENSION].has(method) ? EXTENSION : '2026-07-28';
    check(source, known(source, method), message, method);
    if (source === EXTENSION) checkOutcome(params as Json, method);
    return;
  }
  checkResponse('2026-07-28', message);
  const asked = request?.['method'];
  if (result === undefined || typeof asked !== 'string') return;
  const { resultType } = result as Json;
  if (resultType === 'task') return check(EXTENSION, 'CreateTaskResult', result, asked);
  if (resultType === 'input_required') return check('2026-07-28', 'InputRequiredResult', result, asked);
  const source = methods[EXTENSION].has(asked) ? EXTENSION : '2026-07-28';
  check(source, resultOf(source, asked), result, asked);
  if (asked === 'tasks/get') checkOutcome(result as Json, asked);
}

/** The result of a task is the result of its call. */
function checkOutcome({ result }: Json, method: string): void {
  if (result !== undefined) check('2026-07-28', 'CallToolResult', result, `${method}, result`);
}

function checkResponse(source: Source, message: Json): void {
  const { id, ...others } = message;
  // For a message without a usable id JSON-RPC wants null, which the specification's type of ids does not have.
  if ('error' in message) check(source, 'JSONRPCErrorResponse', id === null ? others : message, 'error');
  else check(source, 'JSONRPCResultResponse', message, 'response');
}

function known(source: Source, method: string): string {
  const name = methods[source].get(method);
  if (name === undefined) throw new Error(`${source} has no message "${method}"`);
  return name;
}

/** Requests without a result of their own have the empty one. */
function resultOf(source: Source, method: string): string {
  const name = methods[source].get(method)?.replace(/Request$/, 'Result');
  return name !== undefined && name in defs[source] ? name : 'EmptyResult';
}

function check(source: Source, name: string, value: unknown, what: string): void {
  const validate = ajv.getSchema(`${source}#/$defs/${name}`);
  if (validate === undefined) throw new Error(`${source} has no definition ${name}`);
  if (validate(value) === true) return;
  // The deepest places say most: those above them are wrong because of them.
  const errors = [...(validate.errors ?? [])].toSorted((a, b) => b.instancePath.length - a.instancePath.length).slice(0, 3);
  throw new Error(`${what} is no ${name} of ${source}:\n${errors.map((error) => describe(error, value)).join('\n')}`);
}

function describe({ instancePath, message, params }: ErrorObject, value: unknown): string {
  const found = instancePath
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Json)[key.replaceAll('~1', '/').replaceAll('~0', '~')], value);
  return `  ${instancePath || '/'} ${message} ${JSON.stringify(params)}: ${JSON.stringify(found).slice(0, 300)}`;
}
