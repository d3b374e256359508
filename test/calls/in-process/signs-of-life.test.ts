/** Tests the progress that waiting calls are sent, so that their clients wait on. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { type RpcSession, rpcSession } from '../../support/gateway/rpc.js';
import type { OpenStream } from '../../support/gateway/stream.js';
import { type ModernClient, modernClient, PLAIN_CLIENT } from '../../support/gateway-2026/modern-client.js';

const gates = new Map<string, () => void>();
const pass = async (name: string): Promise<void> => {
  const open = await waitUntil(() => gates.get(name), { description: `${name} waits` });
  gates.delete(name);
  open();
};

const features = createFeatureRegistry([
  defineTool({
    name: 'report',
    description: 'Reports progress when the test says so',
    input: z.object({ name: z.string() }),
    task: 'optional',
    async run({ name }, context) {
      const gate = (step: string) => context.step(step, () => new Promise<void>((resolve) => void gates.set(name, resolve)));
      context.status('about to begin');
      await gate('begin');
      context.progress({ progress: 1, total: 4, message: 'one of four' });
      await gate('go on');
      context.progress({ progress: 2, total: 4, message: 'two of four' });
      await gate('end');
      return 'done';
    },
  }),
]);

// A client that waits as long as there is progress: it is not handed over after the short time of the others.
const knownClients = [
  { name: 'test', limitMs: 2_000, progressExtends: true },
  { name: 'modern-client', limitMs: 2_000, progressExtends: true },
];
const gateways = gatewaysForTests({ signOfLifeMs: 100, patienceMs: 20, keepAliveMs: 50, syncWaitMs: 1, knownClients }, { features });

interface Report {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

const reportsOf = (stream: OpenStream): Report[] =>
  stream
    .messages()
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => params as Report);

/** Waits for that many more reports that fit. */
async function more(stream: OpenStream, count: number, fits: (report: Report) => boolean): Promise<void> {
  const before = reportsOf(stream).length;
  await waitUntil(() => reportsOf(stream).slice(before).filter(fits).length >= count, { description: `${count} more reports` });
}

/** All reports of a call that reports one and two of four, with signs of life in between, which were sent on the streams. */
async function watch(name: string, stream: OpenStream, resumed: (before: OpenStream) => Promise<OpenStream>): Promise<Report[]> {
  await more(stream, 3, ({ message }) => message === 'about to begin');
  await pass(name);
  await more(stream, 3, ({ message }) => message === 'one of four');
  const then = await resumed(stream);
  await more(then, 2, ({ message }) => message === 'one of four');
  await pass(name);
  await more(then, 2, ({ message }) => message === 'two of four');
  await pass(name);
  await then.message('the result', (message) => 'result' in message);
  return then === stream ? reportsOf(stream) : [...reportsOf(stream), ...reportsOf(then)];
}

function check(reports: readonly Report[], progressToken: string | number): void {
  const values = reports.map(({ progress }) => progress);
  for (const [at, value] of values.entries()) expect(value, `${at} of ${JSON.stringify(values)}`).toBeGreaterThan(values[at - 1] ?? -1);
  expect(new Set(reports.map((report) => report.progressToken))).toEqual(new Set([progressToken]));
  // The tool's own reports are not overtaken.
  for (const own of [1, 2]) expect(values).toContain(own);
  for (const { progress, message, total } of reports) {
    const reached = Math.floor(progress);
    // The first sign may come before the tool has said anything.
    if (reached === 0) expect([undefined, 'about to begin']).toContain(message);
    else expect({ message, total }).toEqual({ message: `${['', 'one', 'two'][reached]} of four`, total: 4 });
  }
}

describe('in 2025-11-25', () => {
  let session: RpcSession;
  beforeAll(async () => {
    session = await rpcSession(gateways.first.app);
  });

  const open = (name: string): Promise<OpenStream> =>
    gateways.first.post(session, name, 'tools/call', { name: 'report', arguments: { name }, _meta: { progressToken: `of ${name}` } });

  it('a waiting call is sent increasing progress, with the last message of its task', async () => {
    check(await watch('plain', await open('plain'), async (stream) => stream), 'of plain');
  });

  it('it goes on increasing at another gateway that resumes the stream', async () => {
    const reports = await watch('resumed', await open('resumed'), async (stream) => {
      const lastEventId = await stream.lastEventId();
      stream.hangUp();
      return gateways.second.get(session, lastEventId);
    });
    check(reports, 'of resumed');
  });

  it('a call of a stand-in is sent progress for its own token', async () => {
    const first = await open('stand-in');
    await pass('stand-in');
    await more(first, 2, ({ message }) => message === 'one of four');
    const running = (await gateways.store.views()).find(
      ({ progressToken, ending }) => progressToken === 'of stand-in' && ending === undefined,
    );
    const taskId = running?.taskId;
    const params = { name: 'task_result', arguments: { taskId }, _meta: { progressToken: 7 } };
    const waiting = await gateways.second.post(session, 'waiting', 'tools/call', params);
    await more(waiting, 3, ({ progressToken, message }) => progressToken === 7 && message === 'one of four');
    await pass('stand-in');
    await pass('stand-in');
    expect(await waiting.message('the result', ({ id }) => id === 'waiting')).toMatchObject({ result: { content: [{ text: 'done' }] } });
  });

  it('a call that asks for no progress is sent none', async () => {
    const params = { name: 'report', arguments: { name: 'silent' } };
    const stream = await gateways.first.post(session, 'silent', 'tools/call', params);
    const answer = await stream.message('it is handed over', ({ id }) => id === 'silent');

    expect(stream.messages()).toEqual([answer]);
    expect(JSON.stringify(answer)).toContain('task_result');
  });
});

describe('in 2026-07-28', () => {
  let client: ModernClient;
  beforeAll(() => {
    client = modernClient(gateways.first, PLAIN_CLIENT);
  });

  it('a waiting call is sent increasing progress, with the last message of its task', async () => {
    const stream = await client.open('tools/call', { name: 'report', arguments: { name: 'modern' } }, { progressToken: 3 });
    check(await watch('modern', stream, async (same) => same), 3);
  });

  it('a client that leaves after that has given up: the task continues', async () => {
    const stream = await client.open('tools/call', { name: 'report', arguments: { name: 'leaving' } }, { progressToken: 4 });
    await more(stream, 1, ({ message }) => message === 'about to begin');
    stream.hangUp();
    const left = await waitUntil(async () => (await gateways.store.views()).find((view) => view.progressToken === 4 && view.detachedAt), {
      description: 'the task has left its call',
    });

    expect(left.ending).toBeUndefined();
    for (let times = 0; times < 3; times++) await pass('leaving');
  });
});
