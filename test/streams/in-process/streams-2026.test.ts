/** Tests the messages on the stream of a response in revision 2026-07-28, and the effect of hanging up. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { rawInit, rawRequest, type RawRequest } from '../../support/gateway-2026/raw-request.js';

/** Signals of running `wait` calls. */
const waiting: AbortSignal[] = [];

const features = createFeatureRegistry([
  defineTool({
    name: 'report',
    description: 'Reports all that it can',
    input: z.object({}),
    run(_args, context) {
      for (const progress of [10, 10, 5, 20]) context.progress({ progress, total: 20, message: `at ${progress}` });
      context.debug('a detail', 'reporter');
      context.warning({ what: 'something' }, 'reporter');
      context.elicitationComplete('some-id');
      return 'reported';
    },
  }),
  defineTool({
    name: 'report-later',
    description: 'Reports all that it can, as a task',
    input: z.object({}),
    task: 'optional',
    async run(_args, context) {
      context.progress({ progress: 10, total: 20 });
      context.debug('a detail', 'reporter');
      context.warning({ what: 'something' }, 'reporter');
      context.elicitationComplete('some-id');
      await context.sleep('moment', 20);
      return 'reported';
    },
  }),
  defineTool({
    name: 'wait',
    description: 'Never answers',
    input: z.object({ reports: z.boolean() }),
    run({ reports }, context) {
      if (reports) context.progress(1);
      waiting.push(context.signal);
      return new Promise<string>(() => undefined);
    },
  }),
]);

let url: string;

const service = serviceForTests({ features });
beforeAll(async () => {
  url = await service.listen();
});

const call = (name: string, meta: RawRequest['meta'] = {}) => rawRequest(url, 'tools/call', { params: { name, arguments: {} }, meta });

describe('progress', () => {
  it.each(['a token', 7])('is sent under the token %j, and is higher each time', async (progressToken) => {
    const { notifications, headers } = await call('report', { progressToken });

    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(notifications).toEqual(
      [10, 20].map((progress) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress, total: 20, message: `at ${progress}` },
      })),
    );
  });

  it('is not sent without a token: the answer is a single object then', async () => {
    const { notifications, headers, result } = await call('report');

    expect(headers.get('content-type')).toBe('application/json');
    expect(notifications).toEqual([]);
    expect(result).toMatchObject({ content: [{ text: 'reported' }] });
  });
});

describe('log messages', () => {
  it.each(['report', 'report-later'])('of %s come from the level on that the request names', async (name) => {
    const levels = async (logLevel: string) =>
      (await call(name, { logLevel })).notifications.map(({ params }) => (params as { level: string }).level);

    expect(await levels('debug')).toEqual(['debug', 'warning']);
    expect(await levels('warning')).toEqual(['warning']);
    expect(await levels('error')).toEqual([]);
  });

  it.each(['report', 'report-later'])('of %s come to nobody whose request names no level', async (name) => {
    expect((await call(name)).notifications).toEqual([]);
  });

  it('have the data and the name of the logger', async () => {
    const { notifications } = await call('report', { logLevel: 'info' });

    expect(notifications).toEqual([
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'warning', data: { what: 'something' }, logger: 'reporter' } },
    ]);
  });

  it('leave no complaint about what this revision has not in the log of the server', async () => {
    await call('report');
    await call('report-later');

    expect(service.logs.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});

describe('a client that hangs up', () => {
  it.each([
    ['that has begun to answer by a stream', true],
    ['that has not begun to answer', false],
  ])('cancels a call %s', async (_what, reports) => {
    const hangUp = new AbortController();
    const before = waiting.length;
    const init = rawInit('tools/call', { params: { name: 'wait', arguments: { reports } }, meta: { progressToken: 1 } });
    const opening = fetch(url, { ...init, signal: hangUp.signal });
    opening.catch(() => undefined);
    const signal = await waitUntil(() => waiting[before], { description: 'the tool runs' });
    expect(signal.aborted).toBe(false);

    if (reports) await opening;
    hangUp.abort();

    await waitUntil(() => signal.aborted, { description: 'the signal of the tool is aborted' });
  });
});
