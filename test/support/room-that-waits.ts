import type { TaskRunnerOptions } from '@longhaul/tasks';
import { override } from './override.js';

type HistoryRoom = NonNullable<TaskRunnerOptions['historyRoom']>;

/** The room of `histories`, in which each step waits for `room` before it runs. */
export function roomThatWaits(histories: HistoryRoom, room: Promise<void>): HistoryRoom {
  return override(histories, {
    enter: async (bytes: number, signal: AbortSignal) => override(await histories.enter(bytes, signal), { startStep: () => room }),
  });
}
