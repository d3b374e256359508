/**
 * Tests the agent as a durable tool without a model of its operator: the client's model is asked, and no worker is held during the wait.
 */
import type { InputHandlers } from '@longhaul/client';
import type { CreateMessageRequestParams } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GENERATIONS, rejection } from '../../client/support/clients.js';
import { clientTools } from '../../client/support/tools.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { AgentDeployment, answerOf, toolResultsOf } from '../support/agent-deployment.js';

const remote = serviceForTests({ features: clientTools().features });
let agent: AgentDeployment;
beforeAll(async () => {
  agent = await AgentDeployment.start({ hasModel: false, servers: { remote: { url: await remote.listen(), ask: 'never' } } });
  await agent.deployment.worker();
});
afterAll(() => agent.close());

/** A client with this script as its model. */
function sampling(...contents: readonly unknown[]) {
  const asked: CreateMessageRequestParams[] = [];
  const onInput = {
    sampling: (params: CreateMessageRequestParams) => {
      asked.push(params);
      return { role: 'assistant', model: 'm', content: contents[asked.length - 1] };
    },
  } as unknown as InputHandlers;
  return { asked, onInput };
}

describe.each(GENERATIONS)('run-agent without a model, called by a client of %s', (generation) => {
  const text = (value: string) => ({ type: 'text', text: value });
  const use = (id: string, message: string) => ({ type: 'tool_use', id, name: 'echo', input: { message } });

  it('asks the model of a client with tools where it takes them', async () => {
    const { asked, onInput } = sampling([text('Calling.'), use('a', 'one'), use('b', 'two')], text('Done.'));
    const client = await agent.client({ generation, onInput, capabilities: { sampling: { tools: {} } } });
    const answer = answerOf(await client.callTool('run-agent', { prompt: 'Echo twice' }));
    expect(answer).toMatchObject({ outcome: 'answered', answer: 'Done.', rounds: 2 });
    expect(toolResultsOf(answer)).toEqual(['Echo: one', 'Echo: two']);
    expect(asked[0]?.tools?.map(({ name }) => name)).toContain('echo');
    expect(asked[1]?.messages).toMatchObject([
      { role: 'user', content: [text('Echo twice')] },
      { role: 'assistant', content: [text('Calling.'), use('a', 'one'), use('b', 'two')] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: 'a', content: [text('Echo: one')] },
          { type: 'tool_result', toolUseId: 'b', content: [text('Echo: two')] },
        ],
      },
    ]);
  });

  it('describes the tools to the model of a client that takes none, and reads its calls', async () => {
    const { asked, onInput } = sampling(text('<tool_call>{"name": "echo", "arguments": {"message": "one"}}</tool_call>'), text('Done.'));
    const client = await agent.client({ generation, onInput });
    const answer = answerOf(await client.callTool('run-agent', { prompt: 'Echo once' }));
    expect(answer).toMatchObject({ outcome: 'answered', answer: 'Done.', rounds: 2 });
    expect(toolResultsOf(answer)).toEqual(['Echo: one']);
    expect(asked[0]?.tools).toBeUndefined();
    expect(asked[0]?.systemPrompt).toContain('echo');
  });

  it('is refused at the call where the client has no model either', async () => {
    const client = await agent.client({ generation });
    expect(await rejection(client.callTool('run-agent', { prompt: 'Echo once' }))).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('There is no model for the agent') as string,
    });
  });
});

it('run-agent ends by name where the client refuses, which it can say in protocol version 2025-11-25', async () => {
  const onInput: InputHandlers = {
    sampling: () => {
      throw new Error('not today');
    },
  };
  const client = await agent.client({ generation: '2025-11-25', onInput });
  const answer = answerOf(await client.callTool('run-agent', { prompt: 'Echo once' }));
  expect(answer).toMatchObject({ outcome: 'model-error', errorCode: 'REFUSED' });
});
