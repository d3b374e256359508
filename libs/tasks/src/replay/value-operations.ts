/** Defines the operations that give the function a value: of its session, or one that is drawn once and recorded without waiting. */
import { accountsOf } from '../write/accounts.js';
import { checkedName } from '../ports/session-values.js';
import { Changes } from './changes.js';
import type { ContextOperations, OperationParts } from './context-operation.js';
import { CHANGE_KEY } from './operation-keys.js';
import { requireNoStep } from './present-step.js';
import { askStep, recordedValue } from './steps.js';
import type { SessionValues } from './task-context.js';

/** Their entries. */
export const VALUE_OPERATIONS = {
  now: {
    key: '$now',
    isDrawn: true,
    make: (parts) => () => drawn(parts, '$now', 'now', 'Date.now()', () => parts.run.clock()),
  },
  randomUUID: {
    key: '$uuid',
    isDrawn: true,
    make: (parts) => () => drawn(parts, '$uuid', 'randomUUID', 'crypto.randomUUID()', () => parts.chance.uuid()),
  },
  changed: {
    key: CHANGE_KEY,
    isDrawn: true,
    make: ({ run, task }) => {
      const changes = new Changes(run);
      return (name) => {
        requireNoStep(run, task.tool, 'changed');
        return changes.has(name);
      };
    },
  },
  session: { key: '$session', isDrawn: false, make: sessionValues },
} as const satisfies ContextOperations<'now' | 'randomUUID' | 'changed' | 'session'>;

/** @param used the name of the operation. @param instead what does the same within a step */
function drawn<T extends string | number>(
  { run, task }: OperationParts,
  key: '$now' | '$uuid',
  used: string,
  instead: string,
  draw: () => T,
): T {
  requireNoStep(run, task.tool, used, `use ${instead} there`);
  return recordedValue(run, key, draw);
}

/**
 * Values of the client's session, or of the owner where there is no session, or of the task alone where the owner stands for all unknown
 * callers. Each access is a recorded step.
 */
function sessionValues({ task, run, sessionValues: values, operation, settings }: OperationParts): SessionValues {
  const ofTask = task.forkedFrom?.firstTaskId ?? run.journal.taskId;
  const session = task.sessionId ?? (accountsOf(task).includes(task.owner) ? task.owner : ofTask);
  const account = accountsOf(task).at(-1);
  const step = <T>(name: string, body: () => Promise<T>): Promise<T> =>
    operation(`session.${name}`, () => askStep(run, run.keys.own('$session'), body, undefined, settings));
  return {
    get: (name) => step('get', () => values.get(session, checkedName(name))),
    set: (name, value) => step('set', () => values.set(session, checkedName(name), value, account)),
    delete: (name) => step('delete', async () => void (await values.delete(session, checkedName(name)))),
  };
}
