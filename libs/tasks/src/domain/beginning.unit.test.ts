import { expect, it } from 'vitest';
import { withoutCaller } from './beginning.js';

const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
const task = { tool: 'tool', arguments: {}, owner: 'ada', client, ttlMs: 60_000, pollIntervalMs: 1_000 };
const said = { sessionId: 's', idempotencyKey: 'k', auth: { subject: 'ada' }, accounts: ['ada'] };

it('a recorded task has nothing of its caller any more, and the records of its owner only', () => {
  expect(withoutCaller({ ...task, ...said, recordOwner: { id: 'mallory' } })).toEqual(task);
  expect(withoutCaller({ ...task, ...said, recordOwner: { id: 'ada' } })).toEqual({ ...task, recordOwner: { id: 'ada' } });
});
