/**
 * Makes the schedules of the file those that are there: it adds new ones, changes those that differ, and removes those that the file names no
 * more. Schedules that operators have added stay as they are, also one that has the name of one in the file: that one is left out and named.
 *
 * Each worker does this when it starts. Several that do it at the same time come to the same.
 */
import { canonicalJson } from '@longhaul/runtime/canonical-json';
import type { ScheduleShape } from '@longhaul/runtime/schedules';
import type { ScheduleStore } from '../../ports/schedule-store.js';
import { ScheduleError } from './schedule-errors.js';
import { definitionOf, type GivenSchedule, type ScheduleService } from './schedule-service.js';

/** The actor of changes by the file. */
const FILE = { by: 'file' };
/** The owner of the tasks of schedules in the file that name none. */
const OWNER_OF_FILE = 'schedules';
const PAGE = 200;

/** What was changed, by names. */
export interface Reconciled {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** With the reason. */
  readonly leftOut: readonly (readonly [name: string, reason: string])[];
}

/** Dependencies of the reconciliation. */
export interface ReconcileDeps {
  readonly schedules: ScheduleStore;
  readonly service: ScheduleService;
}

/** @throws TaskError `STORE_UNAVAILABLE` */
export async function reconcileSchedules(deps: ReconcileDeps, file: Readonly<Record<string, ScheduleShape>>): Promise<Reconciled> {
  const done = { added: [] as string[], changed: [] as string[], removed: [] as string[], leftOut: [] as (readonly [string, string])[] };
  for (const [name, shape] of Object.entries(file)) {
    try {
      const what = await reconcileOne(deps, name, { shape, owner: OWNER_OF_FILE, origin: 'file' });
      if (what !== undefined) done[what].push(name);
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
      done.leftOut.push([name, error.message]);
    }
  }
  for await (const name of namesFromFile(deps.schedules)) {
    if (Object.hasOwn(file, name)) continue;
    if (await removed(deps.service, name)) done.removed.push(name);
  }
  return done;
}

async function reconcileOne(
  { schedules, service }: ReconcileDeps,
  name: string,
  given: GivenSchedule,
): Promise<'added' | 'changed' | undefined> {
  const kept = await schedules.read(name);
  if (kept === undefined) {
    try {
      await service.add(name, given, FILE);
      return 'added';
    } catch (error) {
      // Another worker was faster.
      if (!(error instanceof ScheduleError && error.code === 'SCHEDULE_EXISTS')) throw error;
      return reconcileOne({ schedules, service }, name, given);
    }
  }
  const { state } = kept;
  if (state.origin !== 'file') throw new ScheduleError('SCHEDULE_EXISTS', 'An operator has added a schedule of that name.');
  const now = state.addedAt;
  const isSame =
    canonicalJson(definitionOf(given, state, now)) === canonicalJson(state.definition) &&
    canonicalJson(given.shape.arguments) === canonicalJson(kept.arguments);
  if (isSame) return undefined;
  await service.change(name, given, FILE);
  return 'changed';
}

async function* namesFromFile(schedules: ScheduleStore): AsyncIterable<string> {
  for (let after: string | undefined; ;) {
    const page = await schedules.list(PAGE, after);
    for (const { name, origin } of page.schedules) if (origin === 'file') yield name;
    if (page.next === undefined) return;
    after = page.next;
  }
}

/** @returns false if somebody else has removed it */
async function removed(service: ScheduleService, name: string): Promise<boolean> {
  try {
    await service.remove(name, 'file');
    return true;
  } catch (error) {
    if (error instanceof ScheduleError) return false;
    throw error;
  }
}
