import { expect, it } from 'vitest';
import { withoutCaller } from './beginning.js';
import type { TaskCreatedData } from './events.js';

const task: TaskCreatedData = {
  tool: 'research',
  arguments: {},
  owner: 'ada',
  client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
  ttlMs: 60_000,
  pollIntervalMs: 1_000,
};

it('a recorded task says nothing of its caller once that is left out, so that whoever wrote it can name nobody', () => {
  const forged = { ...task, auth: { subject: 'bob' }, accounts: ['bob'], sessionId: 's', idempotencyKey: 'k', recordOwner: { id: 'bob' } };
  expect(withoutCaller(forged)).toEqual(task);
  expect(withoutCaller({ ...task, recordOwner: { id: 'ada' } })).toEqual({ ...task, recordOwner: { id: 'ada' } });
});
