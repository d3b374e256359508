/** Tests times with fractions of milliseconds, as they come from divisions, from authors and clients to the store. */
import { createFeatureRegistry, defineSessionJob, defineTool } from '@longhaul/mcp-features';
import { everything } from '@longhaul/everything';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcResponse, type RpcSession } from '../../support/gateway/rpc.js';

/** Sessions with a job that has run. */
const runs: string[] = [];
/** Tasks that have failed once. */
const failed = new Set<string>();

const Times = z.object({ sleep: z.number(), first: z.number(), factor: z.number(), limit: z.number() });

/** Waits in every way that a workflow can, and fails at its first try. */
const waits = defineTool({
  name: 'waits',
  description: 'Waits',
  input: Times,
  task: 'optional',
  maxRunMs: 1e9 / 3,
  maxWaitMs: 1e9 / 7,
  pollIntervalMs: 100 / 3,
  retry: { attempts: 2, initialMs: 100 / 3, jitter: 0.1 },
  async run({ sleep, first, factor, limit }, context) {
    await context.sleep('nap', sleep);
    const retry = { attempts: 4, initialMs: first, factor, maxMs: 33.3, timeoutMs: limit };
    await context.step('shaky', ({ attempt }) => (attempt < 4 ? Promise.reject(new Error('not yet')) : 'done'), retry);
    if (!failed.has(context.taskId)) {
      failed.add(context.taskId);
      throw new Error('once more');
    }
    return 'waited';
  },
});

const ticks = defineSessionJob({ name: 'ticks', everyMs: 333.3, run: ({ session }) => void runs.push(session.id) });
const tick = defineTool({
  name: 'tick',
  description: 'Starts ticks',
  input: z.object({}),
  needsSession: true,
  run: async (_args, { session }) => String(await session?.startJob('ticks')),
});

const builtIn = everything({ researchStageMs: 100 / 3, simulatedUpdatesMs: 333.3 });
const gateways = gatewaysForTests({}, { features: createFeatureRegistry([waits, ticks, tick, ...builtIn]) });

const open = (): Promise<RpcSession> => rpcSession(gateways.first.app);

/** Calls a tool as a task. @returns its id and the text of its result */
async function run(session: RpcSession, name: string, args: object): Promise<{ readonly taskId: string; readonly text: string }> {
  const created = await session.call('tools/call', { name, arguments: args, task: { ttl: 60_000.7 } });
  const { taskId } = z.object({ taskId: z.string() }).parse(created.result?.['task']);
  return { taskId, text: textOf(await session.call('tasks/result', { taskId })) };
}

function textOf({ result }: RpcResponse): string {
  return z
    .array(z.object({ text: z.string() }))
    .parse(result?.['content'])
    .map(({ text }) => text)
    .join('');
}

/** What is recorded of a task, by member: every time. */
async function timesOf(taskId: string): Promise<readonly (readonly [name: string, ms: number])[]> {
  const task = (await gateways.store.tasks()).find((stored) => stored.taskId === taskId);
  const found: (readonly [string, number])[] = [];
  for (const { data, meta } of task?.events ?? [])
    for (const json of [data, meta])
      JSON.parse(json, (name, value: unknown) => {
        if (typeof value === 'number' && /(Ms|At|^at)$/.test(name)) found.push([name, value]);
        return value;
      });
  return found;
}

/** From 0 to 25, mostly with a fraction. */
const short = fc.double({ min: 0, max: 25, noNaN: true });

describe('a time with a fraction of a millisecond', () => {
  it('is recorded as a whole number, whoever gives it, and the task goes on', async () => {
    const session = await open();
    const times = fc.record({
      sleep: short,
      first: short,
      factor: fc.double({ min: 0, max: 3, noNaN: true }),
      limit: fc.double({ min: 5_000, max: 1e9, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(times, async (args) => {
        const { taskId, text } = await run(session, 'waits', args);
        expect(text).toBe('waited');
        const recorded = await timesOf(taskId);
        expect(new Set(recorded.map(([name]) => name))).toEqual(
          new Set(['ttlMs', 'pollIntervalMs', 'maxRunMs', 'maxWaitMs', 'dueAt', 'retryAt', 'startedAt', 'at', 'idleMs']),
        );
        expect(recorded.filter(([, ms]) => !Number.isSafeInteger(ms))).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ['trigger-long-running-operation', { duration: 0.1, steps: 3 }, 'Long running operation completed'],
    ['trigger-long-running-operation', { duration: 0.0127, steps: 7 }, 'Long running operation completed'],
    ['simulate-research-query', { topic: 'time' }, 'time'],
  ])('does not stop the built-in %s with %j', async (name, args, text) => {
    expect((await run(await open(), name, args)).text).toContain(text);
  });

  it('does not stop a session job', async () => {
    const session = await open();
    await session.call('tools/call', { name: 'tick', arguments: {} });
    await waitUntil(() => runs.filter((id) => id === session.id).length >= 3, { description: 'the job has run three times' });
  });
});
