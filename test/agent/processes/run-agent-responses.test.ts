/** Tests a durable run at the Responses API whose worker is killed while the model is asked. */
import type { ScriptedReply } from '@longhaul/agent/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { AgentDeployment, answerOf, toolResultsOf } from '../support/agent-deployment.js';
import { ServersPlace } from '../../servers/support/servers.js';

type Item = { readonly type?: string; readonly call_id?: string; readonly encrypted_content?: string };

const place = new ServersPlace();
let agent: AgentDeployment;
let isDead = false;

const itemsOf = (body: object | undefined): readonly Item[] => (body as { input: readonly Item[] }).input;

beforeAll(async () => {
  agent = await AgentDeployment.start({
    servers: { echoing: place.stdio({ ask: 'never' }) },
    env: { LONGHAUL_AGENT_API: 'responses' },
    script: ({ body }): ScriptedReply => {
      if ('parallel_tool_calls' in body) return { status: 400, body: { error: { message: "Unsupported: 'parallel_tool_calls'." } } };
      if (itemsOf(body).some(({ type }) => type === 'function_call_output')) return isDead ? { content: 'Done.' } : { hang: 'before' };
      return { reasoning: 'Echo it.', encryptedReasoning: 'e1', toolCalls: [{ id: 'c1', name: 'echo', arguments: { message: 'one' } }] };
    },
  });
});
afterAll(async () => {
  await agent.close();
  await place.close();
});

it('continues with the thoughts of the model and what was found out of the endpoint, and repeats no recorded request', async () => {
  const { requests } = agent.endpoint;
  const worker = await agent.deployment.worker();
  const client = await agent.client();
  const called = client.callTool('run-agent', { prompt: 'Echo' });
  await waitUntil(() => requests.length === 3, { description: 'the model is asked with the result' });
  isDead = true;
  await worker.kill();
  await agent.deployment.worker();
  const answer = answerOf(await called);

  expect(answer).toMatchObject({ outcome: 'answered', answer: 'Done.', rounds: 2, bill: [{ model: 'scripted', requests: 2 }] });
  expect(toolResultsOf(answer)).toEqual(['one']);
  expect(requests.map(({ path, body }) => [path, 'parallel_tool_calls' in body, itemsOf(body).map(({ type }) => type)])).toEqual([
    ['/v1/responses', true, [undefined]],
    ['/v1/responses', false, [undefined]],
    ...[1, 2].map(() => ['/v1/responses', false, [undefined, 'reasoning', 'function_call', 'function_call_output']]),
  ]);
  expect(itemsOf(requests[3]?.body)[1]).toMatchObject({ id: 'rs_2', encrypted_content: 'e1' });
});
