/** Tests tasks that end every process that runs them, among innocent ones, on three workers under a supervisor. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { TaskEvent } from '@longhaul/tasks';
import { POISONS, THROW_WHEN_SIGNALLED } from '../../faults/processes/poison/features.js';
import type { Blow } from '../attack.js';
import { type PlannedTask, plainTask } from '../plan.js';
import type { Random } from '../random.js';
import { type ChaosRun, describeChaos } from '../run.js';
import { endOfSlow, POISON } from './features.js';

const INNOCENTS = 48;
/** Once more than alone among innocents: where several end one process, the wrong one may be suspected first. */
const MAX_DELIVERIES = 4;
const MAX_MS = 60_000;
const MIB = 1024 * 1024;
const scale = { tasks: INNOCENTS + POISONS.length, seconds: 30, limitSeconds: 150 };

const workerEnv = {
  LONGHAUL_MAX_BLOCK_MS: '5000',
  LONGHAUL_ISOLATED_MEMORY_BYTES: String(320 * MIB),
  // The heap of a worker, and of what it forks: small enough to be filled quickly.
  NODE_OPTIONS: `--max-old-space-size=96 --import ${THROW_WHEN_SIGNALLED}`,
  LONGHAUL_DRAIN_MS: '2000',
};

/** How a poison may end for its client. */
const ENDS = ['stopped answering', 'ended with code 1', 'was killed by SIGABRT', 'was killed by SIGKILL', 'ran out of memory'].map(
  (how) => `error: The task failed permanently: the process that ran it ${how}`,
);

function plan(random: Random): readonly PlannedTask[] {
  const at = (): number => random.between(0, scale.seconds * 900);
  const innocents = Array.from({ length: INNOCENTS }, (_, n) => {
    const kind = random.pick(['slow', 'reporting']);
    return plainTask(kind, { n, ms: random.between(500, 1_000) }, { at: at(), ends: [endOfSlow(n)] });
  });
  const poisons = POISONS.map((name, index) =>
    plainTask(random.next() < 0.5 ? name : `${name}-in-step`, { n: INNOCENTS + index, ms: 0 }, { at: at(), ends: ENDS, isPoison: true }),
  );
  return [...innocents, ...poisons].toSorted((a, b) => a.at - b.at);
}

/** The poisons do it. */
async function attack(_cluster: unknown, _random: Random, seconds: number, signal: AbortSignal): Promise<readonly Blow[]> {
  await wait(seconds * 1_000, undefined, { signal });
  return [];
}

interface Poisoned {
  readonly kind: string;
  /** Starts in processes that no other poison shared: it may have been another one that ended the others. */
  readonly deliveries: number;
  /** From its creation to its end. */
  readonly ms: number;
  readonly reason: unknown;
  /** Where its passes were started, for the one who looks why there were so many. */
  readonly story: string;
}

function poisonedOf({ driven, stored, ledger }: ChaosRun): readonly Poisoned[] {
  const starts = ledger.filter(({ key }) => key === POISON);
  const startsOfProcess = Map.groupBy(starts, ({ pid }) => pid);
  return driven.tasks.flatMap(({ plan: { kind, isPoison }, taskId }) => {
    const stream = stored.get(taskId)?.stream ?? [];
    const [first, last] = [stream[0]?.event, stream.at(-1)?.event];
    if (!isPoison || first === undefined || last?.type !== 'TaskFailed') return [];
    const deliveries = starts.filter((line) => line.taskId === taskId && startsOfProcess.get(line.pid)?.length === 1).length;
    const reason = (last.data.error.data as { reason?: unknown } | undefined)?.reason;
    return [{ kind, deliveries, ms: last.at - first.at, reason, story: `${kind}: ${storyOf(stream.map(({ event }) => event))}` }];
  });
}

function storyOf(events: readonly TaskEvent[]): string {
  const begun = events[0]?.at ?? 0;
  const parts = events.map((event) => {
    const where = event.type === 'PassStarted' ? ` ${event.data.trial ?? 'plain'} on ${event.data.workerId}` : '';
    return `${event.type}${where} at ${((event.at - begun) / 1_000).toFixed(1)} s`;
  });
  return parts.join(', ');
}

const most = (numbers: readonly number[]): number => Math.max(0, ...numbers);

describeChaos(
  {
    name: 'Poison',
    scale,
    cluster: { features: [fileURLToPath(new URL('./features.ts', import.meta.url))], workerEnv, isSupervised: true },
    plan,
    attack,
    more: (run) => {
      const poisoned = poisonedOf(run);
      return [
        ['worker deaths', String(run.cluster.deaths.length)],
        [
          'poisons',
          `${poisoned.length} failed, after ${most(poisoned.map(({ deliveries }) => deliveries))} deliveries of their own and ${(most(poisoned.map(({ ms }) => ms)) / 1_000).toFixed(1)} s at most`,
        ],
      ];
    },
  },
  (run) => {
    it('fails every poison permanently, after few deliveries and in time', () => {
      const poisoned = poisonedOf(run());
      expect(poisoned).toHaveLength(POISONS.length);
      for (const { story, deliveries, ms, reason } of poisoned) {
        expect(reason, story).toBe('WORKER_LOST');
        expect(deliveries, story).toBeLessThanOrEqual(MAX_DELIVERIES);
        expect(ms, story).toBeLessThanOrEqual(MAX_MS);
      }
    });
  },
);
