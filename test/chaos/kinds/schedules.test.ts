/** Tests that each time of a schedule starts one task, whatever is killed: workers, gateways, and Redis. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { attack } from '../attack.js';
import { planTasks } from '../plan.js';
import { type ChaosRun, describeChaos } from '../run.js';

const NAMES = ['early', 'late'];
const EVERY_MS = 1_000;
/** Not the number of a planned task. */
const NUMBER = 2_000_000;
const scale = { tasks: 120, seconds: 45, limitSeconds: 150 };
const folder = mkdtempSync(join(tmpdir(), 'longhaul-chaos-schedules-'));
const file = join(folder, 'schedules.json');

/** Starts what runs for longer than the time to the next start. @param until the last time, epoch milliseconds */
function writeSchedules(until: number): void {
  const schedule = (n: number) => ({
    tool: 'steps',
    arguments: { n, ms: 150 },
    every: '1s',
    until: new Date(until).toISOString(),
    overlap: 'allow',
    catchUp: '1h',
  });
  const schedules = Object.fromEntries(NAMES.map((name, index) => [name, schedule(NUMBER + index)]));
  writeFileSync(file, JSON.stringify({ schedules }));
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The times of a schedule, the tasks that were started for them, and the tasks that there are. */
async function startsOf({ cluster, stored }: ChaosRun, name: string) {
  const store = await cluster.store.open({ role: 'worker', onError: () => undefined });
  try {
    const events = (await store.schedules.history(name, 1_000)).map(({ event }) => event);
    const begun = events.flatMap((event) => (event.type === 'StartBegun' ? [event] : [])).toSorted((a, b) => a.dueAt - b.dueAt);
    const skipped = events.filter(({ type }) => type === 'TimesSkipped' || type === 'StartRefused');
    const number = NUMBER + NAMES.indexOf(name);
    const tasks = [...stored.values()].filter(({ state }) => state.task?.arguments['n'] === number);
    return { begun, skipped, tasks };
  } finally {
    await store.close();
  }
}

writeSchedules(Date.now() + (scale.seconds + 15) * 1_000);

describeChaos(
  {
    name: 'Schedules',
    scale,
    cluster: { workerEnv: { LONGHAUL_SCHEDULES: file } },
    plan: planTasks,
    attack,
    // A schedule is kept for a time after its last start.
    mayStay: (key) => key.includes('schedule'),
  },
  (run) => {
    it.each(NAMES)('starts one task for each time of the schedule %s, and skips none', async (name) => {
      const { begun, skipped, tasks } = await startsOf(run(), name);
      expect(skipped).toEqual([]);
      const times = begun.map(({ dueAt }) => dueAt);
      const [first = 0] = times;
      expect(times.length).toBeGreaterThan(scale.seconds / 2);
      expect(times).toEqual(times.map((_, index) => first + index * EVERY_MS));
      expect(tasks.map(({ taskId }) => taskId).toSorted()).toEqual(begun.map(({ taskId }) => taskId).toSorted());
      expect(tasks.filter(({ state }) => state.outcome?.kind !== 'result')).toEqual([]);
    });
  },
);
