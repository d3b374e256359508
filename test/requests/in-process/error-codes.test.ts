/** Tests errors in revision 2026-07-28 that come from features or from missing features. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createFeatureRegistry,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  ProtocolError,
  type Tool,
} from '@longhaul/mcp-features';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { serviceForTests, startService } from '../../support/gateway/gateway.js';
import { rawRequest, type RawRequest } from '../../support/gateway-2026/raw-request.js';

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

let url: string;

const service = serviceForTests({ features });
beforeAll(async () => {
  url = await service.listen();
});

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
    const expectedError = { code: expected, message: `failed with ${code}`, data: { part: 7 } };

    expect((await call('fail', { code })).error).toEqual(expectedError);
    expect((await call('fail-later', { code })).error).toEqual(expectedError);

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
    expect(failed['error']).toEqual(expectedError);
  });
});

/** To a task there belongs a page, which is a resource. */
const isInline = ({ taskSupport }: Tool): boolean => taskSupport === 'forbidden';

describe('a method that there are no features for', () => {
  it.each(['prompts/get', 'prompts/list', 'resources/read', 'resources/list', 'resources/templates/list', 'completion/complete'])(
    'is answered with 404 and -32601, and is not declared: %s',
    async (method) => {
      const toolsOnly = await startService({ features: createFeatureRegistry(features.tools.filter(isInline)) });
      const address = await toolsOnly.listen();

      expect(await rawRequest(address, method)).toMatchObject({ status: 404, id: 'raw', error: { code: -32601 } });
      const { result } = await rawRequest(address, 'server/discover');
      expect(Object.keys(result?.['capabilities'] as object)).toEqual(['tools', 'logging', 'extensions']);
      await toolsOnly.close();
    },
  );
});

describe('a feature that needs more than the client has declared', () => {
  it('is refused with all that is missing', async () => {
    const meta = { clientCapabilities: { elicitation: {} } };

    expect(await call('needy', {}, { meta })).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { sampling: {}, elicitation: { url: {} } } } },
    });
  });
});

describe('a resource that there is not', () => {
  it.each(['test://nothing', 'test://none/7', 'no URI'])('is an error with its URI: %s', async (uri) => {
    expect((await rawRequest(url, 'resources/read', { params: { uri } })).error).toMatchObject({ code: -32602, data: { uri } });
  });
});

describe('a cursor that was never given out', () => {
  it.each([
    ['tools/list', 'nowhere'],
    ['prompts/list', ''],
    ['resources/list', 'ZnJvbTow'],
    ['resources/templates/list', 'nowhere'],
  ])('is refused with -32602 by %s: %j', async (method, cursor) => {
    expect((await rawRequest(url, method, { params: { cursor } })).error?.code).toBe(-32602);
  });
});

describe('an error of the gateway itself', () => {
  it('has a code outside the range that JSON-RPC reserves, before a message is read and after', async () => {
    const limited = await startService({ features, limits: { concurrentTasks: 0 } });
    try {
      const at = await limited.listen();
      const later = { params: { name: 'fail-later', arguments: { code: 1 } }, meta: { clientCapabilities: TASKS } };
      expect(await rawRequest(at, 'tools/call', later)).toMatchObject({ error: { code: -31000, data: { limit: 0 } } });
      expect(await rawRequest(at, 'tools/list', { headers: { origin: 'http://evil.example.com' } })).toMatchObject({
        status: 403,
        error: { code: -31000 },
      });
      const old = { 'mcp-protocol-version': '2025-11-25', accept: 'application/json' };
      expect(await rawRequest(at, 'ping', { headers: old, meta: { protocolVersion: undefined } })).toMatchObject({
        error: { code: -32000 },
      });
    } finally {
      await limited.close();
    }
  });
});
