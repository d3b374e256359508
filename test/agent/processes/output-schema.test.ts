/**
 * Tests schemas of callers: they are compiled and checked in separate processes, where a task runs. A schema that takes too much is
 * refused.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { CallOptions } from '@longhaul/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../client/support/clients.js';
import type { Process } from '../../support/deployment.js';
import { AgentDeployment, answerOf } from '../support/agent-deployment.js';

let agent: AgentDeployment;
let worker: Process;
beforeAll(async () => {
  agent = await AgentDeployment.start({
    env: { LONGHAUL_AGENT_MAX_ROUNDS: '2' },
    plans: {
      Year: [{ content: '{"year": "x"}' }, { content: '{"year": 2026}' }],
      Much: Array.from({ length: 2 }, () => ({ content: JSON.stringify(Array.from({ length: 300_000 }, () => 1)) })),
    },
  });
  worker = await agent.deployment.worker();
});
afterAll(() => agent.close());

async function run(prompt: string, output_schema: object, options: CallOptions = {}) {
  const client = await agent.client();
  return client.callTool('run-agent', { prompt, output_schema }, options);
}

/** The processes of the worker that check something. */
function checksUnderWay(): readonly string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      return (
        /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(`schema-check-process.js\0${worker.child.pid}\0`)
      );
    } catch {
      return false; // It has ended.
    }
  });
}

describe('the schema of an answer', () => {
  it('decides which answer is taken, and what is recorded of its checks', async () => {
    const schema = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] };
    const ids: string[] = [];
    const answer = answerOf(await run('Year', schema, { onStatus: ({ taskId }) => void ids.push(taskId) }));
    expect(answer).toMatchObject({ outcome: 'answered', rounds: 2, data: { year: 2026 } });
    expect(answer.transcript[2]?.content).toContain('The answer does not fit the output schema: data/year must be integer');
    const steps = (await agent.events(ids[0] ?? '')).flatMap((event) => (event.type === 'StepCompleted' ? [event.data] : []));
    expect(steps.filter(({ key }) => key.includes('check')).map(({ value }) => value)).toEqual([
      { problem: 'data/year must be integer' },
      {},
    ]);
  });

  it('is refused by its task, and not by the gateway, when it is none', async () => {
    for (const schema of [{ type: 'nothing' }, { $async: true, type: 'object' }]) {
      const result = await run('Year', schema);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('The output schema is no JSON Schema that can be checked');
    }
  });

  it('is fitted by no answer whose check takes too much; the check is killed, and the worker goes on', async () => {
    const answer = answerOf(await run('Much', { items: { type: 'string' } }));
    expect(answer).toMatchObject({ outcome: 'model-error', errorCode: 'BAD_RESPONSE' });
    expect(answer.answer).toMatch(/its check takes (more than \d+ MiB of memory|longer than \d+ ms), which is the limit$/);
    expect(checksUnderWay()).toEqual([]);
    expect(worker.child.exitCode ?? worker.child.signalCode).toBeNull();
  });
});
