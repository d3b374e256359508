/** Tests what `longhaul stdio` and its tasks survive, with real processes, and how several of them share a folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { waitUntil } from '../../support/wait-until.js';
import { gone, killAgainAndAgain, Workplace } from '../support/launcher.js';
import { connectStdio, StdioLines } from '../support/stdio-client.js';

let place: Workplace;

beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.close());

const ledger = (): string => join(place.folder, 'ledger.txt');
const noted = (): string[] => (existsSync(ledger()) ? readFileSync(ledger(), 'utf8').trim().split('\n') : []);
const begun = (stage: number) => waitUntil(() => noted().includes(`begin ${stage}`), { description: `stage ${stage} has begun` });

/** Kills it, and waits until its end has been noticed. */
async function kill(stdio: { readonly pid: number; stderr(): string }, app: 'gateway' | 'worker'): Promise<void> {
  const before = stdio.stderr().length;
  process.kill(place.appOf(stdio, app), 'SIGKILL');
  await waitUntil(() => stdio.stderr().includes(`the ${app} has ended (SIGKILL)`, before), {
    description: `the end of the ${app} is noticed`,
  });
}

const env = () => ({ LONGHAUL_TEST_LEDGER: ledger() });

describe('a client of the SDK', () => {
  test.each(['gateway', 'worker'] as const)('gets the result of its task though the %s was killed', async (app) => {
    const stdio = await connectStdio(place, { env: env() });
    const results: string[] = [];
    const call = { name: 'stages', arguments: { ms: 700 } };
    for await (const message of stdio.client.experimental.tasks.callToolStream(call, CallToolResultSchema, { task: {} })) {
      if (message.type === 'error') throw message.error;
      if (message.type === 'taskCreated') void begun(2).then(() => kill(stdio, app));
      if (message.type === 'result') results.push(JSON.stringify(message.result.content));
    }
    expect(results).toEqual([expect.stringContaining('all stages done')]);
    expect(noted().filter((line) => line === 'end 1')).toHaveLength(1);
    await expect.poll(() => stdio.stderr()).toContain(`longhaul: the ${app} has ended (SIGKILL) and is started again\n`);
    await stdio.close();
  });

  test('gets the result of a plain call that waits while the gateway is killed twice', async () => {
    const stdio = await connectStdio(place, { env: env() });
    let progress = 0;
    const onprogress = (report: { readonly progress: number }): void => void (progress = report.progress);
    const calling = stdio.client.callTool({ name: 'stages', arguments: { ms: 2_000 } }, undefined, { onprogress });
    for (const stage of [1, 2]) {
      await waitUntil(() => progress >= stage, { description: `the client has the progress of stage ${stage}` });
      await kill(stdio, 'gateway');
    }
    expect(await calling).toMatchObject({ content: [{ text: 'all stages done' }] });
    expect(noted()).toHaveLength(6);
    await stdio.close();
  });

  test('is asked by its task also after the gateway was killed, once', async () => {
    const asked: string[] = [];
    const stdio = await connectStdio(place, {
      capabilities: { elicitation: { form: {} } },
      prepare: (client) =>
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          asked.push(params.message);
          return { action: 'accept', content: { interpretation: 'historical' } };
        }),
      env: { LONGHAUL_RESEARCH_STAGE_MS: '500' },
    });
    await stdio.client.listTools(); // From here the client knows that the tool must be called as a task.
    const call = { name: 'simulate-research-query', arguments: { topic: 'tides', ambiguous: true } };
    let report = '';
    for await (const message of stdio.client.experimental.tasks.callToolStream(call, CallToolResultSchema)) {
      if (message.type === 'error') throw message.error;
      if (message.type === 'taskCreated') await kill(stdio, 'gateway');
      if (message.type === 'result') report = JSON.stringify(message.result.content);
    }
    expect(report).toContain('(historical)');
    expect(asked).toHaveLength(1);
    await stdio.close();
  });

  test('can make calls while the gateway is started again', async () => {
    const stdio = await connectStdio(place);
    await kill(stdio, 'gateway');
    const { content } = await stdio.client.callTool({ name: 'echo', arguments: { message: 'still there' } });
    expect(content).toMatchObject([{ text: 'Echo: still there' }]);
    await stdio.close();
  });
});

describe('longhaul stdio', () => {
  test('answers a call with an error that was lost with the gateway, and goes on', async () => {
    const stdio = new StdioLines(place);
    await stdio.open();
    stdio.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow', arguments: { ms: 60_000 } } });
    // The call has begun when a later one is answered.
    await stdio.call(2, 'tools/list');
    await kill(stdio.launcher, 'gateway');
    expect((await stdio.answer(1)).error?.code).toBeLessThan(0);
    expect(await stdio.call(3, 'tools/list')).toMatchObject({ result: {} });
  });

  test('goes on with a worker that ends again and again', async () => {
    const stdio = new StdioLines(place);
    await stdio.open();
    await stdio.call(1, 'tools/call', { name: 'stages', arguments: { ms: 1 } }); // Now the worker is ready.
    await killAgainAndAgain(place, stdio.launcher, 'worker', 6);
    expect(await stdio.call(2, 'tools/list')).toMatchObject({ result: {} });
    expect(await stdio.call(3, 'tools/call', { name: 'stages', arguments: { ms: 1 } })).toMatchObject({ result: {} });
    await expect
      .poll(() => stdio.launcher.stderr())
      .toContain('longhaul: the worker has ended 6 times within 60 s (now with SIGKILL): it is started again');
  });
});

describe('several in one folder', () => {
  const echo = { name: 'echo', arguments: { message: 'hello' } };
  const echoed = { result: { content: [{ text: 'Echo: hello' }] } };

  test('share a data file, and do not notice when another one ends', async () => {
    const [first, second] = [new StdioLines(place), new StdioLines(place)];
    await Promise.all([first.open(), second.open()]);
    first.launcher.endInput();
    await first.launcher.ended;
    expect(await second.call(1, 'tools/call', echo)).toMatchObject(echoed);

    const third = new StdioLines(place);
    await third.open();
    expect(await third.call(1, 'tools/call', echo)).toMatchObject(echoed);
    expect(readdirSync(join(place.folder, '.longhaul')).filter((name) => name.endsWith('.db'))).toEqual(['longhaul.db']);
  });

  test('do not keep longhaul start from starting', async () => {
    const stdio = new StdioLines(place);
    await stdio.open();
    const endpoint = await place.run(['start'], { PORT: '0' }).endpoint();
    expect((await fetch(new URL('/readyz', endpoint))).status).toBe(200);
    expect(await stdio.call(1, 'tools/call', echo)).toMatchObject(echoed);
  });

  test('go on with what an earlier one has left unfinished', async () => {
    const first = new StdioLines(place, env());
    await first.open();
    await first.call(1, 'tools/call', { name: 'stages', arguments: { ms: 400 }, task: {} });
    await begun(2);
    first.launcher.endInput();
    await first.launcher.ended;

    const second = new StdioLines(place, env());
    await second.open();
    await waitUntil(() => noted().includes('end 3'), { description: 'the task has ended' });
    expect(noted().filter((line) => line === 'end 1')).toHaveLength(1);
  });

  describe('of which there are three', () => {
    const STAGES = [1, 2, 3];
    let all: StdioLines[];

    /** The events of a type, oldest first: there is one task. */
    function recorded(type: string): Record<string, unknown>[] {
      const database = new DatabaseSync(join(place.folder, '.longhaul', 'longhaul.db'), { readOnly: true, timeout: 5_000 });
      try {
        const rows = database.prepare('SELECT data FROM events WHERE type = ? ORDER BY version').all(type);
        return rows.map(({ data }) => JSON.parse(String(data)) as Record<string, unknown>);
      } finally {
        database.close();
      }
    }

    /** Each stage is recorded once, and only the one that was interrupted has begun twice. */
    async function endsOnce(): Promise<void> {
      await waitUntil(() => recorded('TaskCompleted').length > 0, { description: 'the task has ended' });
      expect(recorded('StepCompleted').map(({ key }) => key)).toEqual(STAGES.map((stage) => `stage ${stage}`));
      expect(noted().filter((line) => line.startsWith('end'))).toEqual(STAGES.map((stage) => `end ${stage}`));
      expect(noted().filter((line) => line.startsWith('begin'))).toEqual([1, 2, 2, 3].map((stage) => `begin ${stage}`));
    }

    beforeEach(async () => {
      all = STAGES.map(() => new StdioLines(place, env()));
      await Promise.all(all.map((stdio) => stdio.open()));
      await all[0]?.call(1, 'tools/call', { name: 'stages', arguments: { ms: 1_500 }, task: {} });
      await waitUntil(() => noted().includes('begin 2'), { description: 'stage 2 has begun' });
    });

    test('finish the task of one that is killed in the middle of it, once', async () => {
      const worker = Number(String(recorded('PassStarted').at(-1)?.['workerId']).split('-').at(-2));
      const killed = all.find(({ launcher }) => place.family(launcher).includes(worker));
      if (killed === undefined) throw new Error('None of them runs the task.');
      for (const pid of place.family(killed.launcher)) process.kill(pid, 'SIGKILL');
      const left = all.filter((stdio) => stdio !== killed);
      for (const stdio of left) expect(await stdio.call(2, 'tools/call', echo)).toMatchObject(echoed);
      await endsOnce();
    });

    test('are all killed in the middle of a task, and the next one that starts finishes it, once', async () => {
      const pids = all.flatMap(({ launcher }) => place.family(launcher));
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await gone(pids);
      expect(recorded('TaskCompleted')).toEqual([]);
      await new StdioLines(place, env()).open();
      await endsOnce();
    });
  });
});
