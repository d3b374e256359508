/** Tests that tasks of proxied tools are started by operators, schedules and other tasks, with arguments that fit what a server has listed. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Clients, textOf } from '../../client/support/clients.js';
import { Workplace } from '../../cli/support/launcher.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { waitUntil } from '../../support/wait-until.js';

const clients = new Clients();
let place: Workplace;
beforeEach(() => {
  place = new Workplace();
  place.install('@longhaul/mcp-features', 'zod');
});
afterEach(async () => {
  await clients.close();
  await place.close();
});

const COUNT = "{ type: 'object', properties: { n: { type: 'integer' }, by: { type: 'string' } }, required: ['n', 'by'] }";
/** Says what it was called with. */
const SERVER = oddServer(
  {
    answers: `
      if (method === 'tools/list') return { tools: [{ name: 'count', inputSchema: ${COUNT} }, { ...tool('look'), annotations: { readOnlyHint: true } }] };
      if (method === 'tools/call') return { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] };`,
  },
  { tools: { count: { defaults: { by: 'the file' } }, look: { task: 'forbidden' } } },
);

const CALLING = `
  import { defineTool } from '@longhaul/mcp-features';
  import { z } from 'zod';
  export const features = [
    defineTool({
      name: 'calling',
      description: 'Calls a tool of a server',
      input: z.object({ n: z.unknown() }),
      task: 'optional',
      run: (args, context) => context.call('s__count', { n: args.n }),
    }),
  ];`;

it('operators, schedules and tasks start tasks of proxied tools, and are told what does not fit', async () => {
  place.write('calling.mjs', CALLING);
  const schedules = { fitting: { tool: 's__count', arguments: { n: 2 }, every: '1d' }, wrong: { tool: 's__count', every: '1d' } };
  const launcher = place.run(['start', 'calling.mjs'], {
    PORT: '0',
    LONGHAUL_OPS_PORT: '0',
    LONGHAUL_SERVERS: JSON.stringify({ mcpServers: { s: SERVER } }),
    LONGHAUL_SCHEDULES: JSON.stringify({ schedules }),
  });
  const { href } = await launcher.endpoint();
  const [, opsUrl = '', tokenFile = ''] = /Operators +(\S+) \(token in ([^)]+)\)/.exec(launcher.stdout()) ?? [];
  const token = readFileSync(tokenFile, 'utf8').trim();
  const api = async (method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> => {
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const response = await fetch(new URL(`api/v1/${path}`, `${opsUrl}/`), { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const start = (tool: string, args: object) => api('POST', `tools/${tool}/tasks`, { arguments: args, reason: 'to try it' });
  const ended = (taskId: unknown) =>
    waitUntil(
      async () => {
        const { body } = await api('GET', `tasks/${String(taskId)}`);
        return ['completed', 'failed'].includes(String(body['status'])) ? JSON.stringify(body) : undefined;
      },
      { description: 'the task has ended' },
    );

  const listed = await waitUntil(
    async () => {
      const tools = (await api('GET', 'tools')).body['tools'] as { name: string; inputSchema: object }[];
      return tools.some(({ name }) => name === 's__count') ? tools : undefined;
    },
    { description: 'the operators know what the server offers' },
  );
  expect(listed.map(({ name }) => name).toSorted()).toEqual(['calling', 's__count']);
  expect(listed.find(({ name }) => name === 's__count')?.inputSchema).toMatchObject({ required: ['n'] });
  const started = await start('s__count', { n: 1 });
  expect(started.status).toBe(201);
  expect(await ended(started.body['taskId'])).toContain('completed');
  expect(await start('s__count', { n: 'one' })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_ARGUMENTS', errors: [{ message: expect.stringContaining('data/n must be integer') as string }] },
  });
  expect(await start('s__gone', {})).toMatchObject({ status: 404, body: { code: 'NO_SUCH_TOOL' } });
  expect(await start('count', {})).toMatchObject({ status: 404, body: { detail: expect.stringMatching(/Is it s__count\?$/) as string } });
  expect(await start('s__look', {})).toMatchObject({ status: 409, body: { code: 'NOT_A_TASK' } });

  for (const name of ['fitting', 'wrong'])
    expect((await api('POST', `schedules/${name}/run`, { reason: 'to try it' })).status).toBeLessThan(300);
  const eventsOf = async (name: string): Promise<string> => JSON.stringify((await api('GET', `schedules/${name}`)).body);
  await waitUntil(async () => (await eventsOf('wrong')).includes('must have required property'), { description: 'the start is refused' });
  await waitUntil(async () => (await eventsOf('fitting')).includes('Started'), { description: 'the schedule has started it' });

  const client = await clients.connect(href, { generation: '2025-11-25' });
  expect(textOf(await client.callTool('calling', { n: 3 }))).toBe('{"n":3,"by":"the file"}');
  const refused = await client.callTool('calling', { n: 'three' }).catch((error: unknown) => String(error));
  expect(JSON.stringify(refused)).toContain('Invalid arguments for tool s__count: data/n must be integer');
});
