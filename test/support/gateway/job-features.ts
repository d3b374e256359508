/** Defines session jobs, and a tool that starts and stops them and manages the values of its session. */
import { createFeatureRegistry, defineSessionJob, defineTool, type Feature, type FeatureRegistry } from '@longhaul/mcp-features';
import { z } from 'zod';

/** How often each session job has run, by the id of its session. */
export const runs = new Map<string, number>();

/** Lets the run of the session's `held` job end. */
export const heldRuns = new Map<string, () => void>();

/** Lets the session's `late-job` call continue. */
export const heldCalls = new Map<string, () => void>();

/** The results of `late-job` calls, by session. */
export const endedCalls = new Map<string, string>();

function count(sessionId: string): void {
  runs.set(sessionId, (runs.get(sessionId) ?? 0) + 1);
}

const tools: readonly Feature[] = [
  defineTool({
    name: 'job',
    description: 'Starts or stops a session job',
    input: z.object({ job: z.string(), isToRun: z.boolean() }),
    needsSession: true,
    run: async ({ job, isToRun }, { session }) => String(await (isToRun ? session?.startJob(job) : session?.stopJob(job))),
  }),
  defineTool({
    name: 'late-job',
    description: 'Starts a session job when the test lets it',
    input: z.object({ job: z.string() }),
    needsSession: true,
    async run({ job }, { session }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      heldCalls.set(session?.id ?? '', resolve);
      await promise;
      const started = String(await session?.startJob(job));
      endedCalls.set(session?.id ?? '', started);
      return started;
    },
  }),
  defineTool({
    name: 'value',
    description: 'Sets a value of the session, or gets it',
    input: z.object({ name: z.string(), value: z.string().optional() }),
    needsSession: true,
    async run({ name, value }, { session }) {
      if (value !== undefined) await session?.set(name, value);
      return JSON.stringify((await session?.get(name)) ?? null);
    },
  }),
  defineTool({
    name: 'durable-value',
    description: 'Sets a value of the session on a worker',
    input: z.object({ name: z.string(), value: z.string() }),
    needsSession: true,
    task: 'optional',
    async run({ name, value }, { session }) {
      await session.set(name, value);
      return value;
    },
  }),
];

const ticking = defineSessionJob({
  name: 'ticking',
  everyMs: 100,
  async run({ session, log, resourceUpdated }) {
    count(session.id);
    const ticks = Number((await session.get('ticks')) ?? 0) + 1;
    await session.set('ticks', ticks);
    log('info', `tick ${ticks}`, 'clock');
    resourceUpdated(`tick://${ticks}`);
    session.listChanged('resources');
  },
});

const throwing = defineSessionJob({
  name: 'throwing',
  everyMs: 100,
  run({ session }) {
    count(session.id);
    throw new RangeError('out of ticks');
  },
});

const held = defineSessionJob({
  name: 'held',
  everyMs: 100,
  async run({ session }) {
    count(session.id);
    const { promise, resolve } = Promise.withResolvers<void>();
    heldRuns.set(session.id, resolve);
    await promise;
  },
});

export const jobFeatures: FeatureRegistry = createFeatureRegistry([...tools, ticking, throwing, held]);

/** The same without the job that ticks, as after a deployment. */
export const withoutTicking: FeatureRegistry = createFeatureRegistry([...tools, throwing, held]);
