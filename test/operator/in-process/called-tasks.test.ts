/** Tests what operators see of tasks that tasks have called. */
import type { ParentLink } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlite } from '../../stores/support/stores.js';
import { operated, type Operated } from '../support/operated.js';

describe('the operator API', () => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof sqlite.open>>;
  beforeEach(async () => {
    opened = await sqlite.open();
    api = await operated(opened.store);
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  /** A task that waits for another one. */
  async function called(): Promise<{ readonly parent: TaskHistory; readonly child: TaskHistory; readonly link: ParentLink }> {
    const [parent, child] = [new TaskHistory(), new TaskHistory()];
    const link = { taskId: parent.taskId, key: 'look up', bond: 'bound', rootTaskId: parent.taskId, path: ['research'] } as const;
    await api.append(parent.create({ tool: 'research' }));
    await api.append(parent.claim());
    const { startedAt: at } = parent;
    const { epoch } = parent.state;
    const start = { type: 'StartChild', at, epoch, key: link.key, taskId: child.taskId, tool: 'lookup', bond: link.bond } as const;
    const waits = [
      { type: 'ConfirmChild', at, epoch, key: link.key } as const,
      { type: 'SuspendPass', at, epoch, waitingFor: [link.key] } as const,
    ];
    await api.append(parent.append([start, ...waits], epoch));
    await api.append(child.create({ tool: 'lookup', parent: link }));
    return { parent, child, link };
  }

  it('shows the tree: what a task waits for, what it has called, and what has called it', async () => {
    const { parent, child, link } = await called();
    const { taskId } = child;
    expect((await api.get(`/api/v1/tasks/${parent.taskId}`)).body).toMatchObject({
      waiting: { for: 'child', keys: [link.key] },
      children: [{ key: link.key, taskId, tool: 'lookup' }],
    });
    const { bond: _bond, ...shown } = link;
    expect((await api.get(`/api/v1/tasks/${taskId}`)).body).toMatchObject({ tool: 'lookup', parent: shown });
    expect((await api.get(`/api/v1/tasks/${parent.taskId}/timeline`)).body).toMatchObject({
      operations: [{ key: link.key, kind: 'child', status: 'waiting', childTaskId: taskId, childTool: 'lookup' }],
      waits: [{ reason: 'queue' }, { reason: 'child', keys: [link.key] }],
    });
  });

  it('shows the value that a task shows', async () => {
    const task = new TaskHistory();
    await api.append(task.create());
    await api.append(task.claim());
    const { epoch } = task.state;
    await api.append(task.append([{ type: 'ExposeValue', at: task.startedAt, epoch, value: { page: 2 }, seq: 1 }], epoch));
    expect((await api.get(`/api/v1/tasks/${task.taskId}`)).body).toMatchObject({ exposed: { page: 2 } });
  });

  it('makes a called task again as one that stands alone', async () => {
    const { child } = await called();
    const { status, body } = await api.post(`/api/v1/tasks/${child.taskId}/retry`, { reason: 'The other system is back.' });
    expect(status).toBe(201);
    const again = (await api.get(`/api/v1/tasks/${String(body['taskId'])}`)).body;
    expect(again).toMatchObject({ tool: 'lookup', forkedFrom: { taskId: child.taskId } });
    expect(again).not.toHaveProperty('parent');
  });

  it('cancels what a cancelled task has called', async () => {
    const { parent, child } = await called();
    await api.post(`/api/v1/tasks/${parent.taskId}/cancel`, { reason: 'It is not needed any more.' });
    expect((await api.get(`/api/v1/tasks/${child.taskId}`)).body).toMatchObject({ status: 'cancelled', cancelledBy: 'parent' });
  });
});
