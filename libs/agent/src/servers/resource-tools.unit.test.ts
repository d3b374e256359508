import { describe, expect, it } from 'vitest';
import { createProcessHost } from '../loop/process-host.js';
import { runAgent } from '../loop/run-agent.js';
import { call, calls, scriptedModel } from '../loop/scripted-model.fixture.js';
import { withApproval } from '../tools/approval.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import { mergedToolbox } from '../tools/merged-toolbox.js';
import type { Toolbox } from '../tools/toolbox.js';
import { callResourceTool, type ListedResources, ownServerName, type ResourceReader, resourceTools } from './resource-tools.js';

const resources: ListedResources['resources'] = Array.from({ length: 150 }, (_, at) => ({
  uri: `file:///${at}`,
  name: `note ${at}`,
  description: 'd'.repeat(1_000),
}));
const reader: ResourceReader = {
  servers: ['docs', 'mail'],
  list: async () => ({ resources, resourceTemplates: [{ uriTemplate: 'file:///{name}', name: 'Any' }] }),
  read: async ({ server, uri }) => ({ contents: [{ uri, text: `${server} has ${uri}` }] }),
};

function toolbox(others: Toolbox = memoryToolbox({})): Toolbox {
  const tools = resourceTools(reader.servers).map((listed) => ({ name: listed.name, server: 'longhaul', listed }));
  return mergedToolbox([others, { tools, call: (request, options) => callResourceTool(reader, request, options) }]);
}

async function results(box: Toolbox, ...made: readonly ReturnType<typeof call>[]): Promise<readonly string[]> {
  const model = scriptedModel([calls(...made), { content: 'Done.' }]);
  const { transcript } = await runAgent({ model, toolbox: box, host: createProcessHost(), history: [], prompt: 'Go' });
  return transcript.flatMap(({ role, content }) => (role === 'tool' && typeof content === 'string' ? [content] : []));
}

describe('resources of servers', () => {
  it('are listed by the model as far as there is room, and by a filter', async () => {
    const [all = '', some = ''] = await results(
      toolbox(),
      call('list_resources', { server: 'docs' }),
      call('list_resources', { server: 'docs', filter: 'NOTE 77' }),
    );
    expect(all.length).toBeLessThan(64 * 1024);
    expect(JSON.parse(all)).toMatchObject({ note: '50 more are left out: use a filter.', templates: [{ uriTemplate: 'file:///{name}' }] });
    expect((JSON.parse(some) as { resources: object[] }).resources).toMatchObject([{ uri: 'file:///77', name: 'note 77' }]);
  });

  it('are read by the model, of servers that there are', async () => {
    expect(
      await results(
        toolbox(),
        call('read_resource', { server: 'mail', uri: 'x:1' }),
        call('read_resource', { server: 'none', uri: 'x:1' }),
      ),
    ).toEqual(['mail has x:1', expect.stringMatching(/^Error: Invalid arguments for tool read_resource: .*server/)]);
  });

  it('keep away from tools of servers that have the same names', async () => {
    const box = toolbox(memoryToolbox({ read_resource: {}, list_resources: {} }, 'docs'));
    expect(box.tools.map(({ name }) => name)).toEqual([
      'docs_read_resource',
      'docs_list_resources',
      'longhaul_list_resources',
      'longhaul_read_resource',
    ]);
    expect(await results(box, call('longhaul_read_resource', { server: 'docs', uri: 'x:1' }))).toEqual(['docs has x:1']);
    expect(ownServerName(['longhaul', 'longhaul_'])).toBe('longhaul__');
  });

  it('are asked for as the policy of their server says', async () => {
    const asked: string[] = [];
    const box = withApproval(
      toolbox(),
      ({ server }) => (server === 'mail' ? 'always' : 'writes'),
      async ({ tool }) => (asked.push(tool.server), 'no'),
    );
    const read = (server: string) => call('read_resource', { server, uri: 'x:1' });
    expect(await results(box, read('docs'), read('mail'))).toEqual(['docs has x:1', expect.stringContaining('does not allow')]);
    expect(asked).toEqual(['mail']);
  });

  it('that the user gives are read before the model is asked, as results of calls', async () => {
    const model = scriptedModel([{ content: 'Done.' }]);
    const given = [
      { server: 'docs', uri: 'x:1' },
      { server: 'nobody', uri: 'x:2' },
    ];
    const outcome = await runAgent({
      model,
      toolbox: toolbox(),
      host: createProcessHost(),
      history: [],
      prompt: 'Sum up',
      resources: given,
    });
    expect(outcome).toMatchObject({ outcome: 'answered', rounds: 1 });
    expect(model.requests[0]?.messages).toMatchObject([
      { role: 'user', content: 'Sum up' },
      { role: 'assistant', tool_calls: [{ function: { name: 'read_resource' } }, { function: { name: 'read_resource' } }] },
      { role: 'tool', content: 'docs has x:1' },
      { role: 'tool', content: expect.stringMatching(/^Error: Invalid arguments/) as string },
    ]);
  });
});
