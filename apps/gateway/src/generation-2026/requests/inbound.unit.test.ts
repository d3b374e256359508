import type { IncomingHttpHeaders } from 'node:http';
import { createMcpHandler, classifyInboundRequest, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../rpc/errors.js';
import { METHODS, type MethodTraits } from '../../rpc/methods.js';
import { checkStandardHeaders, inboundOf } from './inbound.js';

const NAMES = 'io.modelcontextprotocol';
const META = {
  [`${NAMES}/protocolVersion`]: '2026-07-28',
  [`${NAMES}/clientCapabilities`]: { elicitation: { form: {} }, extensions: { [`${NAMES}/tasks`]: {} } },
  [`${NAMES}/clientInfo`]: { name: 'c', version: '1' },
};
const without = (name: string) => Object.fromEntries(Object.entries(META).filter(([key]) => key !== `${NAMES}/${name}`));
const call = (meta: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'echo', arguments: {}, _meta: meta },
  ...more,
});
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };

/** Messages that are correct except for one thing. */
const BODIES: readonly (readonly [string, unknown])[] = [
  ['nothing wrong', call(META)],
  ['an id that is a text', call(META, { id: 'a' })],
  ['an id that is empty', call(META, { id: '' })],
  ['an id that is no whole number', call(META, { id: 1.5 })],
  ['an id that is not exact', call(META, { id: 2 ** 53 })],
  ['an id that is null', call(META, { id: null })],
  ['no id', call(META, { id: undefined })],
  ['another version of JSON-RPC', call(META, { jsonrpc: '1.0' })],
  ['no version of JSON-RPC', call(META, { jsonrpc: undefined })],
  ['a member that messages have not', call(META, { more: 1 })],
  ['a result as well', call(META, { result: {} })],
  ['a method that is no text', call(META, { method: 7 })],
  ['the method initialize', call(META, { method: 'initialize' })],
  ['params in a list', call(META, { params: [] })],
  ['no params', call(META, { params: undefined })],
  ['metadata in a list', call([])],
  ['metadata that is null', call(null)],
  ['no metadata', call(undefined)],
  ['empty metadata', call({})],
  ['no version', call(without('protocolVersion'))],
  ['no capabilities', call(without('clientCapabilities'))],
  ['no client', call(without('clientInfo'))],
  ['an older version', call({ ...META, [`${NAMES}/protocolVersion`]: '2025-11-25' })],
  ['a version that there is not', call({ ...META, [`${NAMES}/protocolVersion`]: '2099-01-01' })],
  ['a version that is no text', call({ ...META, [`${NAMES}/protocolVersion`]: 1 })],
  ['capabilities that are null', call({ ...META, [`${NAMES}/clientCapabilities`]: null })],
  ['capabilities in a list', call({ ...META, [`${NAMES}/clientCapabilities`]: [] })],
  ['a capability that is none', call({ ...META, [`${NAMES}/clientCapabilities`]: { sampling: 7 } })],
  ['a capability within another one that is none', call({ ...META, [`${NAMES}/clientCapabilities`]: { elicitation: { form: 'yes' } } })],
  ['a client that is null', call({ ...META, [`${NAMES}/clientInfo`]: null })],
  ['a client without a name', call({ ...META, [`${NAMES}/clientInfo`]: { version: '1' } })],
  ['a client whose name is no text', call({ ...META, [`${NAMES}/clientInfo`]: { name: 1, version: '1' } })],
  ['a level', call({ ...META, [`${NAMES}/logLevel`]: 'debug' })],
  ['a level that there is not', call({ ...META, [`${NAMES}/logLevel`]: 'loud' })],
  ['a progress token', call({ ...META, progressToken: 'p' })],
  ['a progress token that is a number', call({ ...META, progressToken: 1 })],
  ['a progress token that is no whole number', call({ ...META, progressToken: 1.5 })],
  ['a progress token that is none', call({ ...META, progressToken: {} })],
  ['a related task', call({ ...META, [`${NAMES}/related-task`]: { taskId: 't' } })],
  ['a related task that is none', call({ ...META, [`${NAMES}/related-task`]: 't' })],
  ['metadata of others', call({ ...META, 'example.com/x': [1] })],
  ['a client with much to say', call({ ...META, [`${NAMES}/clientInfo`]: { name: 'c'.repeat(9_000), version: '1' } })],
  ['a result', { jsonrpc: '2.0', id: 7, result: {} }],
  ['an error', { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'm' } }],
  ['a batch', [call(META)]],
  ['an empty batch', []],
  ['a text', 'hello'],
  ['null', null],
];

const HEADER_SETS: readonly (readonly [string, IncomingHttpHeaders])[] = [
  ['its headers', HEADERS],
  ['spaces around its headers', { ...HEADERS, 'mcp-protocol-version': ' 2026-07-28 ', 'mcp-method': ' tools/call' }],
  ['no header of the version', { ...HEADERS, 'mcp-protocol-version': undefined }],
  ['a header of an older version', { ...HEADERS, 'mcp-protocol-version': '2025-11-25' }],
  ['a header of the method of another one', { ...HEADERS, 'mcp-method': 'tools/list' }],
  ['no header of the method', { ...HEADERS, 'mcp-method': undefined }],
  ['no headers', {}],
];

/** The SDK classifier's verdict on a message, in the words of this gateway. */
function classified(headers: IncomingHttpHeaders, body: unknown): unknown {
  const { 'mcp-protocol-version': version, 'mcp-method': method } = headers;
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(version !== undefined && { protocolVersionHeader: String(version) }),
    ...(method !== undefined && { mcpMethodHeader: String(method) }),
  });
  if (outcome.kind === 'legacy') return 'of other versions';
  if (outcome.kind === 'reject') return { status: outcome.httpStatus, code: outcome.code, message: outcome.message, data: outcome.data };
  return outcome.classification.revision === '2026-07-28' ? outcome.messageKind : 'unsupported';
}

function ours(headers: IncomingHttpHeaders, body: unknown): unknown {
  const inbound = inboundOf(headers, body);
  if (inbound === undefined) return 'of other versions';
  if (inbound.kind !== 'refused') return inbound.kind;
  const { httpStatus, code, message, data } = inbound.refusal;
  return code === -32022 ? 'unsupported' : { status: httpStatus, code, message, data };
}

/** The value as JSON parses it. */
const parsed = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

describe.each(HEADER_SETS)('a message with %s', (_title, headers) => {
  it.each(BODIES)("and %s is what the SDK's classifier says", (_what, body) => {
    const message = parsed(body);
    const isHandshake = (message as { method?: unknown } | null)?.method === 'initialize';
    const expected = classified(headers, message);

    // A handshake that the SDK refuses is left to the other versions, which offer their own version.
    expect(ours(headers, message)).toEqual(isHandshake && typeof expected === 'object' ? 'of other versions' : expected);
  });
});

describe('a message with the id of a session', () => {
  const headers = { ...HEADERS, 'mcp-session-id': 's' };

  it('is of the other versions unless something in it names this one', () => {
    expect(inboundOf({ ...headers, 'mcp-protocol-version': '2025-11-25' }, call({}))).toBeUndefined();
    expect(inboundOf({ ...headers, 'mcp-protocol-version': '2025-11-25' }, call(META))).toMatchObject({ kind: 'refused' });
    expect(inboundOf(headers, call(META))).toMatchObject({ kind: 'request' });
  });
});

describe('the headers of a request', () => {
  const sdk = createMcpHandler(() => new Server({ name: 's', version: '1' }), { legacy: 'reject' });
  const ID = '0f4e2c1a';

  it.each<[string, Record<string, string | undefined>]>([
    ['are all there', {}],
    ['do not name the version', { 'mcp-protocol-version': undefined }],
    ['do not name the method', { 'mcp-method': undefined }],
    ['name neither', { 'mcp-protocol-version': undefined, 'mcp-method': undefined }],
    ['do not name the subject', { 'mcp-name': undefined }],
    ['name another subject', { 'mcp-name': 'other' }],
    ['name no subject', { 'mcp-name': '' }],
    ['name the subject with spaces around it', { 'mcp-name': '  echo ' }],
    ['name the subject in Base64', { 'mcp-name': '=?base64?ZWNobw==?=' }],
    ['name another subject in Base64', { 'mcp-name': '=?base64?b3RoZXI=?=' }],
    ['have Base64 that is none', { 'mcp-name': '=?base64?%%?=' }],
    ['have Base64 without its padding', { 'mcp-name': '=?base64?ZWNobw?=' }],
    ['have Base64 that is no text', { 'mcp-name': '=?base64?/w==?=' }],
  ])('that %s are refused or not as by the SDK', async (_title, changed) => {
    for (const [method, { subject }] of Object.entries<MethodTraits>(METHODS)) {
      if (method === 'subscriptions/listen') continue; // Answered by a stream; it has no subject.
      const value = subject === 'taskId' ? ID : 'echo';
      const entries = Object.entries({ ...HEADERS, 'mcp-method': method, 'mcp-name': value, ...changed });
      const headers = Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
      const body = { jsonrpc: '2.0', id: 7, method, params: { name: value, uri: value, taskId: value, _meta: META } };
      const url = 'http://localhost/mcp';
      const answer = await sdk.fetch(new Request(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }), {
        parsedBody: body,
      });
      const { error } = (await answer.json()) as { error?: { code: number; message: string; data?: unknown } };
      const refusal = refusalFor(headers, body, subject);
      // A tolerance for clients that leave out the id of the task.
      const isTolerated = subject === 'taskId' && changed['mcp-name'] === undefined && 'mcp-name' in changed;
      const expected = error?.code === -32020 && !isTolerated ? [answer.status, error.code, error.message, error.data] : undefined;

      expect(refusal && [refusal.httpStatus, refusal.code, refusal.message, refusal.data]).toEqual(expected);
    }
  });
});

function refusalFor(headers: IncomingHttpHeaders, body: unknown, subject: MethodTraits['subject']): Refusal | undefined {
  const inbound = inboundOf(headers, body);
  if (inbound?.kind !== 'request') return inbound?.kind === 'refused' ? inbound.refusal : undefined;
  try {
    checkStandardHeaders(headers, inbound.request, subject);
    return undefined;
  } catch (refusal) {
    return refusal as Refusal;
  }
}
