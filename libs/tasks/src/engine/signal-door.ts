import { isTaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { TaskStore } from '../ports/task-store.js';
import type { SignalDoor } from '../replay/signal-door.js';
import type { TaskWriter } from '../write/task-writer.js';
import { openCallback } from './callbacks.js';
import { OutageRetry } from './outage-retry.js';
import { sendSignal } from './send-signal.js';

/** Dependencies of the door. */
export interface SignalDoorDeps {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly clock: Clock;
  readonly publicUrl: string | undefined;
}

/** What the passes of a worker need for signals. An outage of the store is waited out, as it is by everything that a pass records. */
export function createSignalDoor({ store, writer, clock, publicUrl }: SignalDoorDeps): SignalDoor {
  const outageRetry = new OutageRetry(() => store.ping());
  return {
    open: (callback) => outageRetry.run(() => openCallback({ store, clock }, callback, publicUrl)),
    async send({ from, to, name, value, id }) {
      await outageRetry.run(async () => {
        const [view] = isTaskId(to) ? await store.events.views([to]) : [];
        // A task of another owner looks like a missing one.
        if (view === undefined || view.owner !== from.owner || view.isImported === true) throw new TaskError('TASK_NOT_FOUND');
        return sendSignal(writer, view, { name, value, id, via: `task:${from.taskId}` });
      });
    },
  };
}
