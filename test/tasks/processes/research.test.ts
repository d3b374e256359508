/** Tests the first thing that a user sees: a research task over HTTP, with the work done in another process. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Deployment, type Environment, type Process } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';

const STAGES = ['Gathering sources', 'Analyzing content', 'Synthesizing findings', 'Generating report'];

let deployment: Deployment;
let gateway: Process;

/** The client's view of one research run. */
interface Seen {
  taskId: string;
  statuses: string[];
  messages: string[];
  report: string;
}

async function research(
  client: Client,
  args: { topic: string; ambiguous?: boolean },
  onStatus?: (seen: Seen) => Promise<void>,
): Promise<Seen> {
  await client.listTools();
  const seen: Seen = { taskId: '', statuses: [], messages: [], report: '' };
  const stream = client.experimental.tasks.callToolStream({ name: 'simulate-research-query', arguments: args }, CallToolResultSchema);
  for await (const message of stream) {
    if (message.type === 'taskCreated') seen.taskId = message.task.taskId;
    else if (message.type === 'taskStatus') {
      seen.statuses.push(message.task.status);
      seen.messages.push(message.task.statusMessage ?? '');
      await onStatus?.(seen);
    } else if (message.type === 'result') seen.report = textOf(message.result);
    else throw message.error;
  }
  return seen;
}

function textOf({ content }: CallToolResult): string {
  return content.map((item) => (item.type === 'text' ? item.text : '')).join('');
}

async function story(taskId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { redis, prefix } = deployment.redis;
  const entries = await redis.xrange(`${prefix}:{${taskId}}:events`, '-', '+');
  return entries.map(([, fields]) => ({ type: fields[1] ?? '', data: JSON.parse(fields[3] ?? '{}') as Record<string, unknown> }));
}

const stepsOf = (events: { type: string; data: Record<string, unknown> }[]) =>
  events.filter(({ type }) => type === 'StepCompleted').map(({ data }) => data['key']);

function answering(answer: ElicitResult, asked: unknown[] = []) {
  return (client: Client): void =>
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return answer;
    });
}

beforeAll(async () => {
  deployment = Deployment.create({ LONGHAUL_RESEARCH_STAGE_MS: '50' });
  gateway = await deployment.gateway();
});
afterAll(() => deployment.close());

describe('a research task over two processes', () => {
  let worker: Process;
  beforeAll(async () => {
    worker = await deployment.worker();
  });
  afterAll(() => worker.stop());

  it('runs to its report, and its stream reads like its story', async () => {
    const client = await deployment.client(gateway.url);
    const seen = await research(client, { topic: 'tides' });
    expect(seen.report).toContain('# Research Report: tides');
    expect(seen.statuses.at(-1)).toBe('completed');
    const events = await story(seen.taskId);
    expect(stepsOf(events)).toEqual(STAGES);
    expect(events.filter(({ type }) => type === 'StatusReported').map(({ data }) => data['message'])).toEqual(
      STAGES.map((stage) => `${stage}...`),
    );
    expect(events[0]?.type).toBe('TaskCreated');
    expect(events.at(-1)?.type).toBe('TaskCompleted');
    expect(await deployment.redis.keysWithoutTtl()).toEqual([]);
  });

  it.each<[ElicitResult, string]>([
    [{ action: 'accept', content: { interpretation: 'snake' } }, '(snake)'],
    [{ action: 'decline' }, 'User declined - using default interpretation'],
    [{ action: 'cancel' }, 'User cancelled - using default interpretation'],
  ])('asks when the topic is ambiguous, and the report says what came of %j', async (answer, expected) => {
    const asked: unknown[] = [];
    const client = await deployment.client(gateway.url, { elicitation: {} }, answering(answer, asked));
    const seen = await research(client, { topic: 'python', ambiguous: true });
    expect(seen.report).toContain(expected);
    expect(seen.statuses).toContain('input_required');
    expect(asked).toMatchObject([
      {
        message: expect.stringContaining('"python"') as string,
        requestedSchema: {
          properties: { interpretation: { oneOf: expect.arrayContaining([{ const: 'snake', title: 'Python snake species' }]) as unknown } },
        },
        _meta: { 'io.modelcontextprotocol/related-task': { taskId: seen.taskId } },
      },
    ]);
    expect(stepsOf(await story(seen.taskId))).toEqual(STAGES);
  });

  it('goes on with a default when the client answers with an error', async () => {
    const client = await deployment.client(gateway.url, { elicitation: {} }, (prepared) =>
      prepared.setRequestHandler(ElicitRequestSchema, () => {
        throw new Error('nobody is here');
      }),
    );
    expect((await research(client, { topic: 'tides', ambiguous: true })).report).toContain('elicitation unavailable');
  });

  it('does not ask a client that cannot be asked', async () => {
    const client = await deployment.client(gateway.url);
    const seen = await research(client, { topic: 'tides', ambiguous: true });
    expect(seen.report).toContain('# Research Report: tides\n');
    expect(seen.statuses).not.toContain('input_required');
  });

  it('takes the answer at another gateway than the one that asked', async () => {
    const other = await deployment.gateway();
    const viaOther = new URL(other.url);
    const client = await deployment.client(
      gateway.url,
      { elicitation: {} },
      answering({ action: 'accept', content: { interpretation: 'current' } }),
    );
    const { transport } = client;
    if (transport === undefined) throw new Error('The client is not connected.');
    // Every response of the client goes to the other gateway.
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if (Array.isArray(message) || !('result' in message)) return send(message, options);
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': transport.sessionId ?? '',
      };
      const response = await fetch(viaOther, { method: 'POST', headers, body: JSON.stringify(message) });
      expect(response.status).toBe(202);
    };
    expect((await research(client, { topic: 'tides', ambiguous: true })).report).toContain('(current)');
  });
});

describe('with workers of its own', () => {
  const workers: Process[] = [];
  const startWorker = async (env: Environment = {}): Promise<Process> => {
    const worker = await deployment.worker(env);
    workers.push(worker);
    return worker;
  };
  afterEach(async () => {
    await deployment.closeClients();
    await Promise.all(
      workers
        .splice(0)
        .filter((worker) => worker.runs())
        .map((worker) => worker.kill()),
    );
  });

  describe('a worker that is killed in the middle of a stage', () => {
    it('is replaced by another one, and no recorded stage runs again', async () => {
      const doomed = await startWorker({ LONGHAUL_RESEARCH_STAGE_MS: '400' });
      const client = await deployment.client(gateway.url);
      let isKilled = false;
      const seen = await research(client, { topic: 'tides' }, async ({ taskId }) => {
        if (isKilled) return;
        isKilled = true;
        await waitUntil(async () => stepsOf(await story(taskId)).length === 2, { description: 'two stages are recorded' });
        await doomed.kill();
        await startWorker();
      });
      const events = await story(seen.taskId);
      expect(seen.report).toContain('# Research Report: tides');
      expect(stepsOf(events)).toEqual(STAGES);
      const passes = events.filter(({ type }) => type === 'PassStarted').map(({ data }) => data);
      expect(passes).toMatchObject([
        { pass: 1, epoch: 1 },
        { pass: 1, epoch: 2 },
      ]);
      expect(passes[0]?.['workerId']).not.toBe(passes[1]?.['workerId']);
    });

    it('loses nothing of a task that waits for its user meanwhile', async () => {
      const doomed = await startWorker();
      const replaceBoth = async (): Promise<void> => {
        await doomed.kill();
        await gateway.kill();
        gateway = await deployment.gateway({ PORT: new URL(gateway.url).port });
        await startWorker();
      };
      // A stock client is asked again on its second look, if the answer to the first question is not there by then.
      let replaced: Promise<void> | undefined;
      const client = await deployment.client(gateway.url, { elicitation: {} }, (prepared) =>
        prepared.setRequestHandler(ElicitRequestSchema, async () => {
          await (replaced ??= replaceBoth());
          return { action: 'accept', content: { interpretation: 'historical' } };
        }),
      );
      await client.listTools();
      const created = await client.request(
        { method: 'tools/call', params: { name: 'simulate-research-query', arguments: { topic: 'tides', ambiguous: true }, task: {} } },
        CreateTaskResultSchema,
      );
      const { taskId } = created.task;
      // The stream that asks breaks with its gateway; the answer and the second look go to the new one.
      await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { timeout: 3_000 }).catch(() => undefined);
      await replaced;
      const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
      expect(textOf(result)).toContain('(historical)');
      expect(stepsOf(await story(taskId))).toEqual(STAGES);
    });
  });

  describe('a worker that is stopped', () => {
    it('leaves its running task to another one when the drain time is over, and exits cleanly', async () => {
      const first = await startWorker({ LONGHAUL_RESEARCH_STAGE_MS: '60000', LONGHAUL_DRAIN_MS: '100' });
      const client = await deployment.client(gateway.url);
      let isStopped = false;
      const seen = await research(client, { topic: 'tides' }, async ({ taskId }) => {
        if (isStopped) return;
        isStopped = true;
        await waitUntil(async () => (await story(taskId)).some(({ type }) => type === 'PassStarted'), { description: 'the stage runs' });
        expect(await first.stop()).toBe(0);
        expect((await story(taskId)).at(-1)?.type).toBe('PassSuspended');
        await startWorker();
      });
      expect(stepsOf(await story(seen.taskId))).toEqual(STAGES);
    });
  });

  describe('cancelling', () => {
    it('stops the work of another process', async () => {
      // Without that, its worker would not end before the stage does.
      const worker = await startWorker({ LONGHAUL_RESEARCH_STAGE_MS: '3600000', LONGHAUL_DRAIN_MS: '3600000' });
      const client = await deployment.client(gateway.url);
      const { task } = await client.request(
        { method: 'tools/call', params: { name: 'simulate-research-query', arguments: { topic: 'tides' }, task: {} } },
        CreateTaskResultSchema,
      );
      await waitUntil(async () => (await story(task.taskId)).some(({ type }) => type === 'PassStarted'), { description: 'the stage runs' });
      expect(await client.experimental.tasks.cancelTask(task.taskId)).toMatchObject({ status: 'cancelled' });
      expect(await worker.stop()).toBe(0);
      expect((await story(task.taskId)).at(-1)?.type).toBe('TaskCancelled');
      expect(await deployment.redis.keysWithoutTtl()).toEqual([]);
    });
  });

  describe('a long operation called without a task', () => {
    it('reports its progress to the waiting caller, and holds no worker meanwhile', async () => {
      await startWorker({ LONGHAUL_WORKER_CONCURRENCY: '1' });
      const client = await deployment.client(gateway.url);
      const progress: number[] = [];
      const call = (duration: number, onprogress: (report: { progress: number }) => void) =>
        client.callTool({ name: 'trigger-long-running-operation', arguments: { duration, steps: 4 } }, CallToolResultSchema, {
          onprogress,
        });
      call(3_600, () => undefined).catch(() => undefined);
      const sleeps = async () => {
        const view = (await deployment.store.views()).find(({ ending }) => ending === undefined);
        return view !== undefined && (await story(view.taskId)).at(-1)?.type === 'PassSuspended';
      };
      await waitUntil(sleeps, { description: 'one operation waits for its first quarter' });
      const result = await call(1, (report) => progress.push(report.progress));
      expect(textOf(result as CallToolResult)).toBe('Long running operation completed. Duration: 1 seconds, Steps: 4.');
      expect(progress).toEqual([1, 2, 3, 4]);
    });
  });
});
