/** Tests tools that may be called only as tasks, and clients without tasks, in both protocol versions. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import type { GatewayConfig } from '@longhaul/gateway';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { modernClient, TASKS } from '../../support/gateway-2026/modern-client.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { rpcSession } from '../../support/gateway/rpc.js';

const features = createFeatureRegistry([
  defineTool({ name: 'later', description: 'Works later', input: z.object({}), task: 'required', run: async () => 'done' }),
]);

interface Answered {
  readonly result?: Record<string, unknown> | undefined;
  readonly error?: unknown;
}

type Call = (method: string, params: object) => Promise<Answered>;

/** A service with a plain client of each protocol version. */
function served(settings: Partial<GatewayConfig> = {}) {
  const service = serviceForTests({ features, settings });
  let url = '';
  beforeAll(async () => {
    url = await service.listen();
  });
  const inSession = async (version: string): Promise<Call> => {
    const session = await rpcSession(service.app, version, {});
    return (method, params) => session.call(method, { ...params });
  };
  const clients: Readonly<Record<string, () => Promise<Call>>> = {
    '2025-06-18': () => inSession('2025-06-18'),
    '2025-11-25': () => inSession('2025-11-25'),
    '2026-07-28': async () => (method, params) => modernClient({ url }, {}).call(method, params),
  };
  return {
    session: () => rpcSession(service.app),
    modern: () => modernClient({ url }, { extensions: { [TASKS]: {} } }),
    async plain(version: string) {
      const call = await clients[version]?.();
      if (call === undefined) throw new Error(`There is no client of ${version}.`);
      const { result } = await call('tools/list', {});
      const listed = z.object({ tools: z.array(z.looseObject({ name: z.string() })) }).parse(result).tools;
      return { tool: listed.find(({ name }) => name === 'later'), answered: await call('tools/call', { name: 'later', arguments: {} }) };
    },
  };
}

// In 2026-07-28 the list does not say what can be a task.
const optional = { name: 'later', execution: { taskSupport: 'optional' } };
const required = { name: 'later', execution: { taskSupport: 'required' } };

describe('a tool that is required to be a task', () => {
  const { session, modern, plain } = served();

  it.each([
    ['2025-11-25', optional],
    ['2026-07-28', { name: 'later' }],
  ])('is listed as one that may be a task, and a plain call of it waits: %s', async (version, listed) => {
    const { tool, answered } = await plain(version);
    expect(tool).toMatchObject(listed);
    expect(answered.result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
  });

  it('runs as a task for those that know tasks', async () => {
    const { result } = await (await session()).call('tools/call', { name: 'later', arguments: {}, task: {} });
    expect(result).toMatchObject({ task: { status: 'working' } });
    expect((await modern().tool('later')).result).toMatchObject({ resultType: 'task' });
  });
});

describe('a tool that is required to be a task, where that is enforced', () => {
  const { plain } = served({ areTasksStrict: true });

  it.each([
    ['2025-11-25', required, { code: -32601, message: 'Tool later can only be called as a task: add "task" to the params.' }],
    ['2026-07-28', undefined, { code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } }],
    ['2025-06-18', undefined, { code: -32601 }],
  ])('is listed only to those that can call it so, and refuses a plain call: %s', async (version, listed, error) => {
    const { tool, answered } = await plain(version);
    expect(tool === undefined ? tool : { name: tool.name, execution: tool['execution'] }).toEqual(listed);
    expect(answered.error).toMatchObject(error);
  });
});
