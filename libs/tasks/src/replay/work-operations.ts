/** Defines the operations that run, wait, and begin again. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../domain/json.js';
import { operationNamed, requireFunction, requireObject } from '../given.js';
import type { ContextOperations } from './context-operation.js';
import type { PassRun } from './pass-run.js';
import { toJson } from './recorded-error.js';
import { askStep } from './steps.js';
import { askTimer } from './waits.js';

/** Their entries. */
export const WORK_OPERATIONS = {
  step: {
    key: 'named',
    isDrawn: false,
    make:
      ({ operation, run, settings }) =>
      (name, body, options) =>
        operation(operationNamed('step', name), () => {
          requireFunction(operationNamed('step', name), 'run', body);
          return askStep(run, run.keys.named('step', name), body, options, settings);
        }),
  },
  sleep: {
    key: 'named',
    isDrawn: false,
    make:
      ({ operation, run }) =>
      (name, ms) =>
        operation(operationNamed('sleep', name), () => askTimer(run, run.keys.named('sleep', name), ms)),
  },
  continueAsNew: {
    key: 'none',
    isDrawn: false,
    make:
      ({ operation, run }) =>
      (args) =>
        operation('continueAsNew', () => continueAsNew(run, args)),
  },
} as const satisfies ContextOperations<'step' | 'sleep' | 'continueAsNew'>;

/** Never settles: the function is left behind. */
async function continueAsNew(run: PassRun, args: JsonObject): Promise<never> {
  requireObject('continueAsNew', 'the arguments', args);
  const draft = { type: 'ContinueAsNew', arguments: toJson(args, 'The arguments of continueAsNew') as JsonObject } as const;
  run.expectEnd();
  await nextTurn(); // By then the function awaits this, like everything else that it has started.
  run.finish(draft, true);
  return new Promise<never>(() => undefined);
}
