/** Tests a store that is shared with a later version of this code: data that only the later version knows stays unchanged. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { TaskStore } from '../ports/task-store.js';
import type { AppendRequest } from '../ports/event-store.js';
import { TaskWriter } from '../write/task-writer.js';
import type { ContractStore, OpenedStore } from './contract-store.js';
import { opening } from './opening.js';
import { TaskHistory } from './task-history.js';

const TOKENS = [{ key: 'approved', name: 'of the order' }];

/** The append as a later version would make it, with a task that also waits for a signal. */
function byLaterVersion(request: AppendRequest): AppendRequest {
  const { view, ...outcome } = request.projection;
  const asks = [...(view.standing.asks ?? []), 'approved'];
  const later = {
    ...view,
    tokens: TOKENS,
    standing: { ...view.standing, asks, urgency: 'high' },
    pendingInputs: view.pendingInputs.map((input) => ({ ...input, shownAs: 'a dialog' })),
  };
  return { ...request, projection: { view: later, ...outcome } };
}

/** Declares the contract of an event store while processes of two versions use it. */
export function newerVersionContract({ name, open }: ContractStore): void {
  describe(`a later version beside this one in ${name}`, () => {
    let opened: OpenedStore;
    let store: TaskStore;
    beforeAll(
      opening(open, (openedStore) => {
        opened = openedStore;
        ({ store } = opened);
      }),
    );

    const writer = (): TaskWriter => new TaskWriter({ store, clock: Date.now, onError: (error) => void opened.errors.push(error) });

    /** A task that waits for its client, and for something that only the later version knows. */
    async function waiting(...keys: readonly string[]): Promise<TaskHistory> {
      const task = new TaskHistory();
      await store.events.append(task.create());
      await store.events.append(task.claim());
      const { startedAt: at } = task;
      const { epoch } = task.state;
      const asked = keys.map((key) => ({ type: 'RequestInput' as const, at, epoch, key, method: 'roots/list', params: {} }));
      const rest = task.append([...asked, { type: 'SuspendPass', at, epoch, waitingFor: keys }], epoch);
      await store.events.append(byLaterVersion(rest));
      return task;
    }

    it('finds what it has said of a task in the view that this version has made after an answer', async () => {
      const task = await waiting('first', 'second');
      const command = { type: 'ProvideInput', at: Date.now(), key: 'first', answer: { response: {} }, via: 'test' } as const;
      await writer().write(task.taskId, command);
      const [view] = await store.events.views([task.taskId]);
      expect(view).toMatchObject({ tokens: TOKENS, standing: { asks: ['second', 'approved'], urgency: 'high' } });
      expect(view?.pendingInputs).toMatchObject([{ key: 'second', shownAs: 'a dialog' }]);
    });

    it('has its task left alone that waits for what only it knows', async () => {
      const task = await waiting();
      const refusal = { type: 'RefuseAnswer', at: Date.now(), key: 'none', reason: 'r', via: 'test', refusedBefore: 0 } as const;
      const view = await writer().write(task.taskId, refusal);
      expect(view).toMatchObject({ version: 3, tokens: TOKENS, standing: { asks: ['approved'] } });
    });
  });
}
