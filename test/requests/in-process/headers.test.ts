/** Tests the headers of revision 2026-07-28 that the gateway itself checks. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { rpcSession } from '../../support/gateway/rpc.js';
import { rawRequest } from '../../support/gateway-2026/raw-request.js';

const where = defineTool({
  name: 'where',
  description: 'Says what it was called with',
  input: z.object({ region: z.string().optional().meta({ 'x-mcp-header': 'Region' }) }),
  run: ({ region = 'nowhere' }) => region,
});

let url: string;

const service = serviceForTests({ features: createFeatureRegistry([where]) });
beforeAll(async () => {
  url = await service.listen();
});

const call = (args: object, headers: Record<string, string | undefined> = {}) =>
  rawRequest(url, 'tools/call', { params: { name: 'where', arguments: args }, headers });
const textOf = ({ result }: Awaited<ReturnType<typeof call>>) => (result?.['content'] as { text: string }[] | undefined)?.[0]?.text;

describe('an argument that has to be in a header as well', () => {
  it('is passed on when the header says the same, in plain text or in Base64', async () => {
    expect(textOf(await call({ region: 'us' }, { 'Mcp-Param-Region': '  us ' }))).toBe('us');
    expect(textOf(await call({ region: 'Ägypten' }, { 'Mcp-Param-Region': '=?base64?w4RneXB0ZW4=?=' }))).toBe('Ägypten');
    expect(textOf(await call({}))).toBe('nowhere');
  });

  it.each<[string, object, Record<string, string>]>([
    ['is missing', { region: 'us' }, {}],
    ['says something else', { region: 'us' }, { 'mcp-param-region': 'eu' }],
    ['says something and there is no argument', {}, { 'mcp-param-region': 'eu' }],
    ['is not ASCII', { region: 'ä' }, { 'mcp-param-region': 'ä' }],
  ])('is refused with 400 and -32020 when the header %s, and the tool does not run', async (_what, args, headers) => {
    const { status, id, error } = await call(args, headers);

    expect([status, id, error?.code]).toEqual([400, 'raw', -32020]);
    expect(error?.message).toContain('Mcp-Param-Region');
  });

  it('is listed with its mark', async () => {
    const { result } = await rawRequest(url, 'tools/list');

    expect(JSON.stringify(result?.['tools'])).toContain('"x-mcp-header":"Region"');
  });

  it('is no matter in sessions of the other generation, whose clients send no such headers', async () => {
    const session = await rpcSession(service.app);

    expect((await session.call('tools/call', { name: 'where', arguments: { region: 'us' } })).result).toMatchObject({
      content: [{ text: 'us' }],
    });
  });

  it('is not looked at before what is wrong with the request as such', async () => {
    const wrongVersion = await rawRequest(url, 'tools/call', {
      params: { name: 'where', arguments: { region: 'us' } },
      meta: { protocolVersion: '2099-01-01' },
      headers: { 'mcp-protocol-version': '2099-01-01' },
    });

    expect([wrongVersion.status, wrongVersion.error?.code]).toEqual([400, -32022]);
  });
});

describe('headers of older revisions', () => {
  it('mean nothing on a request of this one: there are neither sessions nor streams to resume', async () => {
    const answered = await call({}, { 'mcp-session-id': 'some-session', 'last-event-id': 'some-event' });

    expect(textOf(answered)).toBe('nowhere');
    expect(answered.headers.has('mcp-session-id')).toBe(false);
  });

  it('belong to the other generation where nothing names this one', async () => {
    const headers = { 'mcp-session-id': 'some-session', 'mcp-protocol-version': '2025-11-25' };
    const meta = { protocolVersion: undefined, clientCapabilities: undefined };

    expect(await rawRequest(url, 'tools/list', { headers, meta })).toMatchObject({ status: 404, error: { code: -32001 } });
  });

  it('do not hide that the version in the header is not that of the metadata', async () => {
    const headers = { 'mcp-session-id': 'some-session', 'mcp-protocol-version': '2025-11-25' };

    expect(await rawRequest(url, 'tools/list', { headers })).toMatchObject({ status: 400, error: { code: -32020 } });
  });
});
