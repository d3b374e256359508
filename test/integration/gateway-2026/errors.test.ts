/** The errors of revision 2026-07-28: their codes, and their HTTP statuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createFeatureRegistry,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  ProtocolError,
} from '@longhaul/mcp-features';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { startService, type TestService } from '../gateway/support/gateway.js';
import { rawRequest, type RawRequest } from './support/raw-request.js';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

const failWith = (code: number): never => {
  throw new ProtocolError(code, `failed with ${code}`, { part: 7 });
};
const input = z.object({ code: z.number() });

const features = createFeatureRegistry([
  defineTool({ name: 'fail', description: 'Fails at once', input, run: ({ code }) => failWith(code) }),
  defineTool({ name: 'fail-later', description: 'Fails as a task', input, task: 'optional', run: async ({ code }) => failWith(code) }),
  defineTool({ name: 'needy', description: 'Needs much', input: z.object({}), needs: ['sampling', 'elicitation.url'], run: () => 'ok' }),
  definePrompt({
    name: 'greeting',
    description: 'Greets',
    arguments: z.object({ who: z.string() }),
    complete: { who: () => [] },
    run: ({ who }) => who,
  }),
  defineResource({ uri: 'test://one', name: 'one', read: () => 'one' }),
  defineResourceTemplate({ uriTemplate: 'test://none/{id}', name: 'none', read: () => undefined }),
]);

let service: TestService;
let url: string;

beforeAll(async () => {
  service = await startService({ features });
  url = await service.listen();
});
afterAll(() => service.close());

const call = (name: string, args: object, more: RawRequest = {}) =>
  rawRequest(url, 'tools/call', { params: { name, arguments: args }, ...more });

describe('an error of a feature', () => {
  it.each([
    [-32099, -32603],
    [-32050, -32603],
    [-32042, -32603],
    [-32002, -32602],
    [-32000, -32000],
    [-31000, -31000],
    [400, 400],
  ])('with the code %d has the code %d, within the request and as a task', async (code, expected) => {
    const told = { code: expected, message: `failed with ${code}`, data: { part: 7 } };

    expect((await call('fail', { code })).error).toEqual(told);
    expect((await call('fail-later', { code })).error).toEqual(told);

    const { result: created } = await call('fail-later', { code }, { meta: { clientCapabilities: TASKS } });
    const failed = await waitUntil(
      async () => {
        const { result } = await rawRequest(url, 'tasks/get', {
          params: { taskId: created?.['taskId'] },
          meta: { clientCapabilities: TASKS },
        });
        return result?.['status'] === 'failed' && result;
      },
      { description: 'the task has failed' },
    );
    expect(failed['error']).toEqual(told);
  });
});

describe('a request', () => {
  it.each(['prompts/get', 'prompts/list', 'resources/read', 'resources/list', 'resources/templates/list', 'completion/complete'])(
    '%s is answered with 404 and -32601 where there are no such features',
    async (method) => {
      const toolsOnly = await startService();
      const address = await toolsOnly.listen();

      expect(await rawRequest(address, method)).toMatchObject({ status: 404, id: 'raw', error: { code: -32601 } });
      const { result } = await rawRequest(address, 'server/discover');
      expect(Object.keys(result?.['capabilities'] as object)).toEqual(['tools', 'logging', 'extensions']);
      await toolsOnly.close();
    },
  );

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/list',
    'tasks/result',
    'shutdown',
  ])('%s of older revisions is answered with 404 and -32601', async (method) => {
    expect(await rawRequest(url, method)).toMatchObject({ status: 404, id: 'raw', error: { code: -32601 } });
  });

  it.each<[string, RawRequest, number]>([
    ['no version in its metadata', { meta: { protocolVersion: undefined } }, -32602],
    ['no capabilities', { meta: { clientCapabilities: undefined } }, -32602],
    ['capabilities that are no object', { meta: { clientCapabilities: 'all' } }, -32602],
    ['a log level that there is not', { meta: { logLevel: 'loud' } }, -32602],
    ['no version in its headers', { headers: { 'mcp-protocol-version': undefined } }, -32020],
    ['another version in its headers', { headers: { 'mcp-protocol-version': '2025-11-25' } }, -32020],
    ['no method in its headers', { headers: { 'mcp-method': undefined } }, -32020],
    ['another method in its headers', { headers: { 'mcp-method': 'prompts/list' } }, -32020],
    ['the method in other letters', { headers: { 'mcp-method': 'Tools/List' } }, -32020],
  ])('with %s is answered with 400 and its code', async (_what, request, code) => {
    expect(await rawRequest(url, 'tools/list', request)).toMatchObject({ status: 400, id: 'raw', error: { code } });
  });

  it('of a version that is not served is told which ones are', async () => {
    const { status, error } = await rawRequest(url, 'tools/list', {
      meta: { protocolVersion: '1900-01-01' },
      headers: { 'mcp-protocol-version': '1900-01-01' },
    });

    expect([status, error?.code, error?.data]).toEqual([400, -32022, { supported: ['2026-07-28'], requested: '1900-01-01' }]);
  });

  it('for what needs more of the client is told all that is missing', async () => {
    const meta = { clientCapabilities: { elicitation: {} } };

    expect(await call('needy', {}, { meta })).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { sampling: {}, elicitation: { url: {} } } } },
    });
  });

  it.each([
    ['prompts/get', { name: 'nobody' }],
    ['prompts/get', { name: 'greeting' }],
    ['tools/call', { name: 'nobody' }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'nobody' }, argument: { name: 'who', value: '' } }],
    ['tools/list', { cursor: 'nowhere' }],
    ['prompts/list', { cursor: '' }],
    ['resources/list', { cursor: 'ZnJvbTow' }],
    ['resources/templates/list', { cursor: 'nowhere' }],
  ])('%s with the params %j is answered with -32602', async (method, params) => {
    expect((await rawRequest(url, method, { params })).error?.code).toBe(-32602);
  });

  it.each(['test://nothing', 'test://none/7', 'no URI'])('for the resource %s, which there is not, is told its URI', async (uri) => {
    expect((await rawRequest(url, 'resources/read', { params: { uri } })).error).toMatchObject({ code: -32602, data: { uri } });
  });
});
