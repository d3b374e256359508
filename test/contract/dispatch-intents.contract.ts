import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DispatchIntents } from '../../libs/tasks/src/store/dispatch-intents.js';
import { newTaskId } from '../support/task-history.js';
import type { ContractBackend, OpenBackend } from './backends.js';

/** What the dispatch intents keeps to on every backend. */
export function dispatchIntentsContract({ name, open }: ContractBackend): void {
  describe(`the dispatch intents in ${name}`, () => {
    let opened: OpenBackend;
    let intents: DispatchIntents;

    beforeEach(async () => {
      opened = await open();
      intents = opened.backend.intents;
    });
    afterEach(() => opened.close());

    it('finds those noted before a time, oldest first, whatever task they are of', async () => {
      const noted = Array.from({ length: 40 }, (_, index) => ({ taskId: newTaskId(), pass: 1 + index, dueAt: index % 2 === 0 ? 0 : 5000 }));
      for (const [index, intent] of [...noted.entries()].toReversed()) await intents.note(intent, 1000 + index);
      expect(await intents.overdue(1030, 100)).toEqual(noted.slice(0, 30));
    });

    it('finds no more than asked for, the oldest of all', async () => {
      const noted = Array.from({ length: 20 }, (_, index) => ({ taskId: newTaskId(), pass: index, dueAt: 0 }));
      for (const [index, intent] of noted.entries()) await intents.note(intent, index);
      expect(await intents.overdue(1000, 7)).toEqual(noted.slice(0, 7));
    });

    it('does not find what was noted at that time or later', async () => {
      await intents.note({ taskId: newTaskId(), pass: 1, dueAt: 0 }, 1000);
      expect(await intents.overdue(1000, 10)).toEqual([]);
    });

    it('does not find what was settled', async () => {
      const taskId = newTaskId();
      await intents.note({ taskId, pass: 1, dueAt: 0 }, 1);
      await intents.note({ taskId, pass: 2, dueAt: 0 }, 2);
      intents.settle({ taskId, pass: 1, dueAt: 0 });
      intents.settle({ taskId, pass: 1, dueAt: 0 });
      await intents.flush();
      expect(await intents.overdue(10, 10)).toEqual([{ taskId, pass: 2, dueAt: 0 }]);
    });

    it('tells apart when the same pass is due', async () => {
      const taskId = newTaskId();
      await intents.note({ taskId, pass: 3, dueAt: 1_800_000_000_000 }, 1);
      await intents.note({ taskId, pass: 3, dueAt: 0 }, 2);
      intents.settle({ taskId, pass: 3, dueAt: 0 });
      await intents.flush();
      expect(await intents.overdue(10, 10)).toEqual([{ taskId, pass: 3, dueAt: 1_800_000_000_000 }]);
    });

    it('keeps an intent once that is noted twice', async () => {
      const intent = { taskId: newTaskId(), pass: 1, dueAt: 0 };
      await intents.note(intent, 1);
      await intents.note(intent, 2);
      expect(await intents.overdue(10, 10)).toEqual([intent]);
    });
  });
}
