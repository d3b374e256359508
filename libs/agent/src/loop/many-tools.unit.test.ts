import { expect, it } from 'vitest';
import { createEndpointModel } from '../endpoint/endpoint-model.js';
import type { ToolMode } from '../model/chat-model.js';
import { type ScriptedReply, startScriptedEndpoint } from '../testing/scripted-endpoint.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import { createProcessHost } from './process-host.js';
import { runAgent } from './run-agent.js';

/** How the model writes a call. */
const CALL_IN: Readonly<Record<ToolMode, (name: string, args: object) => ScriptedReply>> = {
  native: (name, args) => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] }),
  textual: (name, args) => ({ content: `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>` }),
  schema: (name, args) => ({ content: JSON.stringify({ tool: name, arguments: args }) }),
};

it.each(['native', 'textual', 'schema'] as const)('a model calls one of many tools after it has found it, %s', async (mode) => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`count_${at}`, { description: `Counts number ${at}.` }]));
  const toolbox = memoryToolbox({ ...many, send_mail: { description: 'Sends a letter.' } });
  const answer = mode === 'schema' ? '{"answer":"Sent."}' : 'Sent.';
  const endpoint = await startScriptedEndpoint([
    CALL_IN[mode]('search_tools', { query: 'letter' }),
    CALL_IN[mode]('send_mail', { to: 'Ada' }),
    { content: answer },
  ]);
  try {
    const model = createEndpointModel({ baseUrl: endpoint.url, model: 'scripted', mode });
    const outcome = await runAgent({ model, toolbox, host: createProcessHost(), history: [], prompt: 'Write to Ada' });
    expect(outcome).toMatchObject({ outcome: 'answered', text: 'Sent.', rounds: 3 });
    expect(toolbox.called.map(({ tool: { name } }) => name)).toEqual(['send_mail']);
    const [first, second] = endpoint.requests.map(({ body }) => JSON.stringify(body));
    expect(first).not.toContain('Sends a letter');
    expect(first).not.toContain('count_');
    expect(second).toContain('Sends a letter');
  } finally {
    await endpoint.close();
  }
});
