/**
 * Tests questions of held calls that wait for a person: what happens to them when the call is gone, and what the status says during the
 * wait.
 */
import type { TaskEvent } from '@longhaul/tasks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GENERATIONS, named } from '../../client/support/clients.js';
import { clientTools } from '../../client/support/tools.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import type { Process } from '../../support/deployment.js';
import { AgentDeployment, answerOf, calling, toolResultsOf } from '../support/agent-deployment.js';

const remote = serviceForTests({ features: clientTools().features });
let agent: AgentDeployment;
let worker: Process;
beforeAll(async () => {
  const older = { url: await remote.listen(), protocolVersion: '2025-11-25', ask: 'never' };
  agent = await AgentDeployment.start({
    servers: { older },
    plans: { Ask: [calling(['ask-inline', {}]), { content: 'Asked.' }] },
  });
  worker = await agent.deployment.worker();
});
afterAll(async () => {
  await agent.close();
  await remote.close();
});

describe.each(GENERATIONS)('a question of a held call, before a client of %s', (generation) => {
  it('is withdrawn with the reason when its worker is killed: the run goes on, and nobody is asked in vain', async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const client = await agent.client({
      generation,
      onInput: { elicitation: (_, { signal }) => (asked.resolve(signal), new Promise(() => undefined)) },
    });
    let taskId = '';
    const called = client.callTool(
      'run-agent',
      { prompt: 'Ask' },
      {
        onStatus: (status) => {
          taskId = status.taskId;
        },
      },
    );
    const signal = await asked.promise;
    await worker.kill();
    worker = await agent.deployment.worker();
    const answer = answerOf(await called);
    expect(answer).toMatchObject({ outcome: 'answered', answer: 'Asked.' });
    expect(toolResultsOf(answer)).toEqual([expect.stringContaining('It is unknown whether this call of ask-inline was carried out')]);
    expect(signal.aborted).toBe(true);
    const received = (await agent.events(taskId)).filter(
      (event): event is Extract<TaskEvent, { type: 'InputReceived' }> => event.type === 'InputReceived',
    );
    expect(received.map(({ data }) => data)).toEqual([
      {
        key: '$elicit',
        via: 'withdrawal',
        answer: {
          error: {
            code: -32603,
            message: expect.stringMatching(/^The question was withdrawn: the call that asked it has ended\. It is unknown/) as string,
          },
        },
      },
    ]);
  });

  it('is no part of the status any more when it is answered', async () => {
    const client = await agent.client({ generation, onInput: named('Ada') });
    let taskId = '';
    await client.callTool(
      'run-agent',
      { prompt: 'Ask' },
      {
        onStatus: (status) => {
          taskId = status.taskId;
        },
      },
    );
    const events = await agent.events(taskId);
    const statuses = events.flatMap((event) =>
      event.type === 'StatusReported' ? [event.data.message] : event.type === 'InputReceived' ? ['(answered)'] : [],
    );
    const at = statuses.indexOf('(answered)');
    expect(statuses.slice(at - 2, at + 2)).toEqual([
      'Round 1 of 5: calling ask-inline',
      'Waiting for an answer to a question of ask-inline (server "older")',
      '(answered)',
      'Round 1 of 5: calling ask-inline',
    ]);
  });
});
