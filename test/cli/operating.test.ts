/** Tests that operators start, stop, export and import tasks from a terminal, with the processes of a deployment. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { type Launcher, Workplace } from './support/launcher.js';

const shop = (steps: string): string => `
  import { appendFileSync } from 'node:fs';
  import { defineTool } from '@longhaul/mcp-features';
  import { z } from 'zod';
  const input = z.object({ order: z.string(), count: z.number().int().default(1), express: z.boolean().optional() });
  export const features = [
    defineTool({ name: 'charge', description: 'Charges.', input, task: 'required', async run({ order, count }, context) {
      ${steps}
      return 'charged ' + order + ' ' + count;
    } }),
    defineTool({ name: 'gate', description: 'Waits.', input: z.object({}), task: 'required', async run(_args, context) {
      return JSON.stringify(await context.waitFor('open', { schema: z.object({ by: z.string() }) }));
    } }),
    defineTool({ name: 'hold', description: 'Holds.', input: z.object({}), task: 'required', async run(_args, context) {
      await context.sleep('for long', 3_600_000);
      return 'over';
    } }),
  ];`;
const STEPS = `for (const name of ['reserve', 'book']) await context.step(name, () => appendFileSync('ledger', name + ' ' + order + '\\n'));`;

let place: Workplace;
function openShop(): void {
  place = new Workplace();
  place.install('@longhaul/mcp-features', 'zod');
  writeFileSync(join(place.folder, 'shop.mjs'), shop(STEPS));
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  // Modules are looked for from where the process is.
  const { code, stdout, stderr } = await (args.includes('--features') ? place.run(args, env).ended : place.command(args, env));
  return { code, out: stdout, err: stderr };
}

async function json<T>(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<T> {
  const { code, out, err } = await run([...args, '--json'], env);
  if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
  return JSON.parse(out) as T;
}

const REASON = ['--reason', 'to try it'];
const containing = (text: string): string => expect.stringContaining(text) as string;

describe('a deployment with an operator API', () => {
  let launcher: Launcher;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    openShop();
    launcher = place.run(['start', 'shop.mjs'], { PORT: '0', LONGHAUL_OPS_PORT: '0' });
    await launcher.endpoint();
    const [, opsUrl = '', tokenFile = ''] = /Operators +(\S+) \(token in ([^)]+)\)/.exec(launcher.stdout()) ?? [];
    env = { LONGHAUL_OPS_URL: opsUrl, LONGHAUL_OPS_TOKEN: readFileSync(tokenFile, 'utf8').trim() };
  });
  afterAll(() => place.close());

  test('what a tenant may have is changed while everything runs, and what an owner uses of it is shown', async () => {
    expect(await run(['tenants', 'set', 'acme', 'unfinishedTasks=2', ...REASON], env)).toMatchObject({
      code: 0,
      out: 'acme: unfinishedTasks=2\n',
    });
    expect(await run(['tenants', 'set', 'acme', 'historyBytes=null', ...REASON], env)).toMatchObject({
      code: 0,
      out: 'acme: unfinishedTasks=2 historyBytes=null\n',
    });
    expect(await json(['tenants'], env)).toMatchObject({
      tenants: [{ name: 'acme', override: { unfinishedTasks: 2, historyBytes: null } }],
    });
    expect(await run(['call', 'hold', '--owner', 'user:acme', ...REASON], env)).toMatchObject({ code: 0 });
    expect(await run(['owner', 'user:acme'], env)).toEqual({
      code: 0,
      out: [
        'tenant                acme',
        'unfinished tasks      1 of 2',
        'tasks in this minute  1 of 600',
        'bytes of histories    0, no limit',
        'open sessions         0 of 20000',
        '',
      ].join('\n'),
      err: '',
    });
    expect(await run(['call', 'hold', '--owner', 'user:acme', ...REASON], env)).toMatchObject({ code: 0 });
    expect(await run(['call', 'hold', '--owner', 'user:acme', ...REASON], env)).toMatchObject({
      code: 5,
      err: containing('At most 2 tasks may be unfinished at the same time.'),
    });
    expect(await run(['tenants', 'set', 'acme', 'colour=1', ...REASON], env)).toMatchObject({ code: 2, err: containing('colour') });
    expect(await run(['tenants', 'set', 'acme', 'unfinishedTasks=many', ...REASON], env)).toMatchObject({
      code: 2,
      err: containing('NUMBER'),
    });
    expect(await run(['tenants', 'reset', 'acme', ...REASON], env)).toMatchObject({ code: 0, out: 'acme: what is configured\n' });
    expect((await json<{ entries: readonly object[] }>(['audit'], env)).entries).toMatchObject([
      { action: 'tenant.reset', target: 'acme' },
      { action: 'tool.start' },
      { action: 'tool.start' },
      { action: 'tool.start' },
      { action: 'tenant.set', target: 'acme' },
      { action: 'tenant.set', target: 'acme' },
    ]);
  });

  test('a tool is started by its schema, paused and resumed', async () => {
    expect(await run(['call', 'charge', 'order=o1', 'count=3', '--priority', '5', '--wait', '--timeout', '20s', ...REASON], env)).toEqual({
      code: 0,
      out: 'charged o1 3\n',
      err: expect.stringMatching(/^[0-9a-f-]{36} is started\n$/) as string,
    });
    const gate = await json<{ taskId: string }>(['call', 'gate', ...REASON], env);
    await waitUntil(async () => (await run(['tasks', 'show', gate.taskId], env)).out.includes('a signal: open'), {
      description: 'it waits',
    });
    expect(await run(['signal', gate.taskId, 'open', 'ada', ...REASON], env)).toMatchObject({ code: 2, err: containing('must be JSON') });
    expect(await run(['signal', gate.taskId, 'open', '{"by":1}', ...REASON], env)).toMatchObject({
      err: containing('must be of type string'),
    });
    expect(await run(['signal', gate.taskId, 'open', '{"by":"ada"}', ...REASON], env)).toMatchObject({ code: 0 });
    expect(await run(['wait', gate.taskId, '--timeout', '20s'], env)).toMatchObject({ code: 0 });
    expect(await run(['call', 'charge', 'colour=red', ...REASON], env)).toMatchObject({
      code: 2,
      err: containing('it has: order, count, express'),
    });
    expect(await run(['call', 'charge', '--arguments', '{"count":1.5}', ...REASON], env)).toMatchObject({
      code: 2,
      err: containing('order'),
    });
    expect(await run(['call', 'charge', 'order=o1', '--priority', '11', ...REASON], env)).toMatchObject({
      code: 2,
      err: containing('priority'),
    });
    expect(await run(['call', 'charge', 'order=o1', '--priority', 'high', ...REASON], env)).toMatchObject({
      code: 2,
      err: containing('--priority must be a whole number'),
    });
    expect(await run(['call', 'nowhere', ...REASON], env)).toMatchObject({ code: 3 });
    expect(await run(['call', 'charge', '--features', 'shop.mjs', ...REASON], env)).toMatchObject({
      code: 2,
      err: containing('--features'),
    });
    expect(await run(['call', 'charge', 'order=o2', ...REASON], { LONGHAUL_FEATURES: '@longhaul/everything' })).toMatchObject({
      code: 5,
      err: containing('LONGHAUL_FEATURES'),
    });

    expect(await run(['queue', 'pause', '--tool', 'charge', ...REASON], env)).toMatchObject({ code: 0, out: 'paused: charge\n' });
    const { taskId } = await json<{ taskId: string }>(['call', 'charge', 'order=o2', '--features', 'shop.mjs', ...REASON]);
    // Of a tool that is not paused, and so its worker has been given what came before.
    const held = await json<{ taskId: string }>(['call', 'hold', ...REASON], env);
    await waitUntil(async () => (await json<{ waiting?: { for: string } }>(['tasks', 'show', held.taskId], env)).waiting?.for === 'timer', {
      description: 'the other tool runs',
    });
    expect(await json(['tasks', 'show', taskId], env)).toMatchObject({
      status: 'working',
      waiting: { for: 'queue' },
      startedBy: containing('operator:local:'),
    });
    expect(await run(['tasks', 'show', taskId], env)).toMatchObject({
      out: expect.stringMatching(/waits for +a worker, since .*; it is paused/) as string,
    });
    expect(await json(['queue'], env)).toMatchObject({ waiting: 0, setAside: 1, paused: { all: false, tools: ['charge'] } });
    expect(await run(['queue'])).toMatchObject({ out: expect.stringMatching(/paused +charge/) as string });
    await waitUntil(async () => /charge +2/.test((await run(['stats', '--tool', 'charge'], env)).out), { description: 'both are counted' });
    expect(await json(['stats', '--over', 'week'], env)).toMatchObject({ over: 'week', total: { cancelled: 0 } });
    expect(await run(['queue', 'resume', '--tool', 'charge', ...REASON], env)).toMatchObject({ code: 0, out: 'paused: nothing\n' });
    expect(await run(['wait', taskId, '--timeout', '20s'], env)).toMatchObject({ code: 0 });

    expect(await run(['queue', 'pause', ...REASON])).toMatchObject({ code: 0, out: 'paused: all tools\n' });
    const later = await json<{ taskId: string }>(['call', 'charge', 'order=o3', ...REASON], env);
    expect(await run(['wait', later.taskId, '--timeout', '2s'], env)).toMatchObject({ code: 1 });
    process.kill(place.appOf(launcher, 'worker'), 'SIGKILL');
    await waitUntil(() => launcher.stderr().includes('is started again'), { description: 'another worker is started' });
    await waitUntil(async () => (await json<{ workers: object[] }>(['workers'], env)).workers.length === 1, {
      description: 'it works',
    });
    expect(await json(['tasks', 'show', later.taskId], env)).toMatchObject({ waiting: { for: 'queue' }, attempt: 1 });
    await run(['queue', 'resume', ...REASON]);
    expect(await run(['wait', later.taskId, '--timeout', '20s'], env)).toMatchObject({ code: 0 });
    expect(readFileSync(join(place.folder, 'ledger'), 'utf8').match(/o3/g)).toHaveLength(2);
  });
});

describe('a deployment without one', () => {
  beforeEach(openShop);
  afterEach(() => place.close());

  test('a history is exported, imported, and held against code', async () => {
    const launcher = place.run(['start', 'shop.mjs'], { PORT: '0' });
    await launcher.endpoint();
    const { taskId } = await json<{ taskId: string }>([
      'call',
      'charge',
      'order=o1',
      '--wait',
      '--timeout',
      '20s',
      '--features',
      'shop.mjs',
      ...REASON,
    ]);
    expect(await run(['tasks', 'show', taskId])).toMatchObject({ code: 0, out: expect.stringMatching(/step +book +completed/) as string });
    expect(await json(['tasks', 'show', taskId, '--timeline'])).toMatchObject({ counts: { operations: 2, passes: 1 } });
    expect(await run(['tasks', 'export', taskId, 'history.json'])).toMatchObject({ code: 0 });
    expect(await run(['tasks', 'export', taskId, 'history.json'])).toMatchObject({ code: 2, err: containing('exists already') });
    const text = readFileSync(join(place.folder, 'history.json'), 'utf8');
    expect((await place.run(['tasks', 'export', taskId]).ended).stdout).toBe(text);
    const imported = await json<{ taskId: string }>(['tasks', 'import', 'history.json', ...REASON]);
    expect(imported).toMatchObject({ status: 'completed', isImported: true, imported: { taskId } });
    expect(imported.taskId).not.toBe(taskId);
    expect(await json(['tasks', 'list', '--query', 'status=completed tool=charge'])).toMatchObject({ tasks: [{}, {}] });
    writeFileSync(join(place.folder, 'wrong.json'), text.replace('"formatVersion":1', '"formatVersion":9'));
    expect(await run(['tasks', 'import', 'wrong.json', ...REASON])).toMatchObject({ code: 2, err: containing('formatVersion') });
    expect(await run(['tasks', 'import', 'nowhere.json', ...REASON])).toMatchObject({ code: 2 });
    const again = await json<{ taskId: string }>(['tasks', 'retry', imported.taskId, '--from', 'book', ...REASON]);
    expect(await run(['wait', again.taskId, '--timeout', '20s'])).toMatchObject({ code: 0 });
    launcher.signal('SIGTERM');
    await launcher.ended;
    const ledger = readFileSync(join(place.folder, 'ledger'), 'utf8');
    expect(ledger).toBe('reserve o1\nbook o1\nbook o1\n');

    expect(await run(['replay', 'history.json', '--features', 'shop.mjs'])).toMatchObject({
      code: 0,
      out: containing('The workflow fits'),
    });
    expect(await run(['replay', 'wrong.json', '--features', 'shop.mjs'])).toMatchObject({ code: 2, err: containing('formatVersion') });
    expect(await run(['replay', 'history.json'])).toMatchObject({ code: 2, err: containing('--features') });
    writeFileSync(join(place.folder, 'changed.mjs'), shop(STEPS.replace("'book'", "'check', 'book'")));
    const misfit = await run(['replay', 'history.json', '--features', 'changed.mjs', '--json']);
    expect(misfit.code).toBe(1);
    expect(JSON.parse(misfit.out)).toMatchObject({ fits: false, called: '"check"', recorded: { kind: 'step', key: 'book' }, version: 4 });
    expect(readFileSync(join(place.folder, 'ledger'), 'utf8')).toBe(ledger);
  });
});
