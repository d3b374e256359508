import { describe, expect, it } from 'vitest';
import { decide } from './decide.js';
import type { AbandonCall } from './commands.js';
import { fold } from './evolve.js';
import type { TaskState } from './state.js';
import { sampleOf } from '../testing/event-samples.js';

const created = fold([sampleOf('TaskCreated')]);
const abandon = (given: Partial<AbandonCall>): AbandonCall => ({
  type: 'AbandonCall',
  at: 2_000,
  how: 'closed',
  afterMs: 1_000,
  continues: true,
  because: 'nothing',
  by: 'alice',
  ...given,
});
const after = (state: TaskState, command: AbandonCall): TaskState => fold(decide(command, state), state);

describe('a call that its client has abandoned', () => {
  it('is recorded, and the task leaves it and continues', () => {
    const { by: _by, type: _type, at, ...data } = abandon({ how: 'cancelled', reason: 'timed out', client: 'app 1' });
    expect(decide(abandon({ how: 'cancelled', reason: 'timed out', client: 'app 1' }), created)).toEqual([
      { type: 'CallAbandoned', at, data },
      { type: 'TaskDetached', at, data: { because: 'abandoned', afterMs: 1_000 } },
    ]);
    expect(after(created, abandon({})).outcome).toBeUndefined();
  });

  it.each([
    [{ how: 'cancelled', reason: 'enough' }, 'The client cancelled the call: enough'],
    [{ how: 'cancelled' }, 'The client cancelled the call.'],
    [{ how: 'closed' }, 'The client closed the connection of its call.'],
  ] as const)('ends a task that does not continue, with a reason that says why: %j', (given, reason) => {
    expect(after(created, abandon({ ...given, continues: false })).outcome).toEqual({ kind: 'cancelled', reason, by: 'alice' });
  });

  it('is recorded sixteen times at most; a cancellation counts after that too', () => {
    let state = created;
    for (let times = 0; times < 20; times++) state = after(state, abandon({}));
    expect(state.version).toBe(1 + 1 + 16);
    expect(decide(abandon({ continues: false }), state).map(({ type }) => type)).toEqual(['TaskCancelled']);
  });
});
