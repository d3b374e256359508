/** Tests that operators read the whole result of a task, part by part. */
import type { TaskId } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlite } from '../../stores/support/stores.js';
import { withLargeValues } from '../../support/large-values.js';
import { MemoryBlobs } from '../../support/memory-blobs.js';
import { operated, type Operated, TOKENS } from '../support/operated.js';

const WHOLE = { content: [{ type: 'text', text: 'aé€😀'.repeat(1_000) }] };

describe('the result of a task', () => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof sqlite.open>>;
  const blobs = new MemoryBlobs();
  beforeEach(async () => {
    opened = await sqlite.open();
    blobs.kept.clear();
    api = await operated(withLargeValues(blobs)(opened.store));
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  /** A task that has ended with a result, which is kept apart if it is large. */
  const complete = async (isLarge: boolean): Promise<TaskId> => {
    const history = new TaskHistory();
    await api.append(history.create({ tool: 'export', arguments: {} }));
    await api.append(history.claim());
    const { epoch, task } = history.state;
    const { values } = withLargeValues(blobs)(opened.store);
    const owner = { taskId: history.taskId, owner: task?.owner ?? '' };
    const large = isLarge ? await values?.keep(owner, '1-a-b', JSON.stringify(WHOLE)) : undefined;
    const data = large === undefined ? { result: WHOLE } : { result: { content: [] }, large };
    await api.append(history.append([{ type: 'CompleteTask', at: history.startedAt, epoch, ...data }], epoch));
    return history.taskId;
  };

  it.each([true, false])('is given whole, with its length, to readers too (large: %s)', async (isLarge) => {
    const taskId = await complete(isLarge);
    const { status, body, headers } = await api.get(`/api/v1/tasks/${taskId}/result`, { authorization: `Bearer ${TOKENS.reader}` });
    expect({ status, body }).toEqual({ status: 200, body: WHOLE });
    expect(headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(WHOLE))));
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('is an error by name when it is gone, when its place is away, and when there is none', async () => {
    const path = `/api/v1/tasks/${await complete(true)}/result`;
    blobs.trouble = 'VALUES_UNAVAILABLE';
    expect(await api.get(path)).toMatchObject({ status: 503, body: { code: 'VALUES_UNAVAILABLE' } });
    blobs.trouble = undefined;
    blobs.kept.clear();
    expect(await api.get(path)).toMatchObject({ status: 422, body: { code: 'VALUE_MISSING' } });
    for (const taskId of [await api.create(), await api.fail('export', 'NO_WORKER')])
      expect(await api.get(`/api/v1/tasks/${taskId}/result`)).toMatchObject({ status: 409, body: { code: 'NO_RESULT' } });
  });
});
