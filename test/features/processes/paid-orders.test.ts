/** Runs the example of orders that are paid by webhook: killed at each record, and as its readers do, on a data file. */
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallToolResult, CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { freePort } from '@longhaul/bench/free-port';
import { accept, decline, runTool, type ToolRun } from '@longhaul/mcp-features/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buy, reconcile, takePayment } from '../../../examples/paid-orders.js';
import { Workplace } from '../../cli/support/launcher.js';
import { AnsweringClients } from '../../support/answering-clients.js';
import { waitUntil } from '../../support/wait-until.js';

const EXAMPLES = new URL('../../../examples/', import.meta.url).pathname;
const SECRET = `whsec_${Buffer.alloc(24, 'pay').toString('base64')}`;

interface Line {
  readonly key: string;
  readonly event: string;
  readonly callback?: string;
  readonly placed?: number;
}

const linesOf = (file: string): readonly Line[] => {
  const text = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
};

/** The events of a journal in order, each key once. */
const eventsOf = (file: string): readonly string[] => [...new Map(linesOf(file).map(({ key, event }) => [key, event])).values()];

describe('an order, whose worker is killed at each record', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhaul-paid-'));
    file = join(folder, 'orders.jsonl');
    vi.stubEnv('ORDERS_FILE', file);
    vi.stubEnv('PAYMENT_SECRET', SECRET);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  const options = {
    tools: [takePayment],
    answers: accept({ approved: true }),
    kills: true,
    before: () => {
      rmSync(file, { force: true });
    },
    after: ({ text }: ToolRun) => expect(eventsOf(file).join(), text).toBe(text.includes('"placed"') ? 'invoiced,placed' : 'invoiced'),
  };
  const webhook = (status: string) => ({ name: 'payment', value: { status, amount: 600 }, tool: 'take-payment', afterMs: 60_000 });

  it('is approved, paid, and placed once', async () => {
    const run = await runTool(buy, { item: 'lamp', price: 600 }, { ...options, signals: [webhook('paid')] });
    expect(run.result.structuredContent).toMatchObject({ status: 'placed' });
    expect(run).toMatchObject({ elapsedMs: 60_000, warnings: [], asked: [{ params: { message: 'Buy lamp for 600?' } }] });
  });

  it('is not placed when its payment is refused', async () => {
    const run = await runTool(buy, { item: 'lamp', price: 600 }, { ...options, signals: [webhook('refused')] });
    expect(run.result.structuredContent).toMatchObject({ status: 'refused' });
  });

  it('is not placed when it is not paid within a day', async () => {
    const run = await runTool(buy, { item: 'pen', price: 5 }, options);
    expect(run.result.structuredContent).toMatchObject({ status: 'overdue' });
    expect(run).toMatchObject({ elapsedMs: 86_400_000, asked: [] });
  });

  it('asks for no payment when it is declined', async () => {
    const declined = { ...options, answers: decline, after: () => expect(eventsOf(file)).toEqual([]) };
    const run = await runTool(buy, { item: 'lamp', price: 600 }, declined);
    expect(run.result.structuredContent).toMatchObject({ status: 'declined' });
  });

  it('is counted once in the report of the night', async () => {
    await runTool(buy, { item: 'lamp', price: 600 }, { ...options, kills: false, signals: [webhook('paid')] });
    const { result } = await runTool(reconcile, {}, { kills: true });
    expect(result.structuredContent).toEqual({ placed: 1, amount: 600, withoutInvoice: [] });
  });
});

describe('the shop, started as its first lines say', () => {
  it('places an order that somebody approves and the payment service confirms, and reconciles it', async () => {
    const place = new Workplace();
    place.install('@longhaul/mcp-features', 'zod');
    for (const name of ['paid-orders.ts', 'paid-orders.json']) copyFileSync(join(EXAMPLES, name), join(place.folder, name));
    const port = String(await freePort());
    const launcher = place.run(['start'], {
      PORT: port,
      LONGHAUL_OPS_PORT: '0',
      LONGHAUL_PUBLIC_URL: `http://127.0.0.1:${port}/mcp`,
      LONGHAUL_FEATURES: './paid-orders.ts',
      LONGHAUL_SCHEDULES: './paid-orders.json',
      PAYMENT_SECRET: SECRET,
    });
    const endpoint = await launcher.endpoint();
    const file = join(place.folder, 'orders.jsonl');
    const clients = new AnsweringClients(() => endpoint.href);
    const { client } = await clients.answering(() => ({ action: 'accept', content: { approved: true } }));
    const params = { name: 'buy', arguments: { item: 'lamp', price: 600 }, task: {} };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    const result: Promise<CallToolResult> = client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    const url = await waitUntil(() => linesOf(file)[0]?.callback, { description: 'the payment service has the address' });

    expect((await fetch(url, { method: 'POST', body: '{"status":"paid","amount":600}' })).status).toBe(401);
    const deliver = async (amount: number, id: string) => {
      const [body, at] = [JSON.stringify({ status: 'paid', amount }), new Date()];
      const timestamp = String(Math.floor(at.getTime() / 1_000));
      const signature = new Webhook(SECRET).sign(id, at, body);
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      return (await fetch(url, { method: 'POST', body, headers })).status;
    };
    expect([await deliver(5, 'msg_1'), await deliver(600, 'msg_2')]).toEqual([422, 200]);
    expect((await result).structuredContent).toMatchObject({ status: 'placed' });

    const [, opsUrl = '', tokenFile = ''] = /Operators +(\S+) \(token in ([^)]+)\)/.exec(launcher.stdout()) ?? [];
    const operator = { LONGHAUL_OPS_URL: opsUrl, LONGHAUL_OPS_TOKEN: readFileSync(tokenFile, 'utf8').trim() };
    // A worker adds the schedules of the file after it has started.
    await waitUntil(
      async () => {
        const { stderr } = await place.command(['schedules', 'run', 'reconcile-orders', '--reason', 'to see its report'], operator);
        if (stderr.includes('There is no schedule of that name')) return false;
        expect(stderr).toBe('');
        return true;
      },
      { description: 'the schedule is there' },
    );
    const report = await waitUntil(() => linesOf(file).find(({ event }) => event === 'reconciled'), {
      description: 'the report is written',
    });
    expect(report).toMatchObject({ placed: 1, amount: 600, withoutInvoice: [] });
    await clients.close();
    await place.close();
  });
});
