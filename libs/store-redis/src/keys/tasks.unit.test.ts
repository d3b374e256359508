import type { TaskId } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { RedisKeys } from './tasks.js';

const TASK_ID = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11' as TaskId;

describe('the names in Redis', () => {
  it('are the ones that stored tasks have, for ever', () => {
    const keys = new RedisKeys();
    expect({
      events: keys.events(TASK_ID),
      eventsCopy: keys.eventsCopy(TASK_ID),
      view: keys.view(TASK_ID),
      keptView: keys.keptView(TASK_ID),
      ownerTasks: keys.ownerTasks('alice'),
      ownerAccount: keys.ownerAccount('alice'),
      unfinished: keys.unfinished(TASK_ID),
      allUnfinished: keys.allUnfinished(),
      rows: keys.rows(TASK_ID),
      allRows: keys.allRows(),
      walked: keys.walked(),
      layout: keys.layout(),
      idempotencyKey: keys.idempotencyKey('alice', 'key'),
      changes: keys.changes(TASK_ID),
      allChanges: keys.allChanges(),
      interrupted: keys.interrupted(),
      parkedTasks: keys.parkedTasks(),
      parkedOrder: keys.parkedOrder(),
      queuePrefix: keys.queuePrefix(),
      waiting: keys.jobs().waiting,
      fairJobs: keys.fairOrder().jobs,
    }).toEqual({
      events: 'lh:{0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11}:events',
      eventsCopy: 'lh:{0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11}:events-copy',
      view: 'lh:{0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11}:view',
      keptView: 'lh:{0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11}:kept-view',
      ownerTasks: 'lh:{owner:2bd806c97f0e00af1a1fc3328fa763a9}:tasks',
      ownerAccount: 'lh:{owner:2bd806c97f0e00af1a1fc3328fa763a9}:account',
      unfinished: 'lh:unfinished:7',
      allUnfinished: Array.from({ length: 8 }, (_, shard) => `lh:unfinished:${shard}`),
      rows: 'lh:{rows:7}',
      allRows: Array.from({ length: 8 }, (_, shard) => `lh:{rows:${shard}}`),
      walked: 'lh:unfinished-walked',
      layout: 'lh:layout',
      idempotencyKey: 'lh:{owner:2bd806c97f0e00af1a1fc3328fa763a9}:key:2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683',
      changes: 'lh:changes:31',
      allChanges: Array.from({ length: 64 }, (_, shard) => `lh:changes:${shard}`),
      interrupted: 'lh:interrupted',
      parkedTasks: 'lh:{parked}:tasks',
      parkedOrder: 'lh:{parked}:order',
      queuePrefix: '{lh}',
      waiting: '{lh}:tasks:wait',
      fairJobs: '{lh}:fair:jobs',
    });
  });

  it('of views name their tasks', () => {
    const keys = new RedisKeys('my.app');
    for (const view of [keys.view(TASK_ID), keys.keptView(TASK_ID)]) expect(keys.taskOfView(view)).toBe(TASK_ID);
    for (const name of [keys.events(TASK_ID), new RedisKeys('app').view(TASK_ID), keys.view('*' as TaskId), 'my.app:{x}:view', ''])
      expect(keys.taskOfView(name), name).toBeUndefined();
  });

  it('all begin with the configured prefix', () => {
    const keys = new RedisKeys('staging');
    expect(keys.view(TASK_ID)).toBe(`staging:{${TASK_ID}}:view`);
    expect(keys.queuePrefix()).toBe('{staging}');
  });
});
