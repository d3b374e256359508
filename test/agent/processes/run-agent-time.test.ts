/** Tests a run of the agent that reaches its time limit during a call of a tool. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientTools } from '../../client/support/tools.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { waitUntil } from '../../support/wait-until.js';
import { AgentDeployment, answerOf, calling, toolResultsOf } from '../support/agent-deployment.js';

const tools = clientTools();
const remote = serviceForTests({ features: tools.features });

let agent: AgentDeployment;
beforeAll(async () => {
  agent = await AgentDeployment.start({
    servers: { remote: { url: await remote.listen(), ask: 'never' } },
    env: { LONGHAUL_AGENT_MAX_MS: '2000' },
    plans: { Wait: [calling(['wait-inline', {}])] },
  });
  await agent.deployment.worker();
});
afterAll(() => agent.close());

it('ends, and cancels the call', async () => {
  const answer = answerOf(await (await agent.client()).callTool('run-agent', { prompt: 'Wait' }));
  expect(answer.outcome).toBe('max-time');
  expect(toolResultsOf(answer)).toEqual([expect.stringContaining('The time of this run is over.')]);
  await waitUntil(() => tools.inlineSignals[0]?.aborted === true, { description: 'the call is cancelled' });
});
