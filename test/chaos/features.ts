/**
 * The tools of the chaos run. Gateways and workers load this file through `LONGHAUL_FEATURES`, so it has
 * only types that Node strips. Every step writes to a side ledger that no crash of a process can take
 * back: one append-only file for each process, one write for each line.
 */
import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool } from '@longhaul/mcp-features';
import type { RetryPolicy, TaskContext } from '@longhaul/tasks';
import { z } from 'zod';

/** The variable that names the folder of the ledger. */
export const LEDGER_VARIABLE = 'LONGHAUL_CHAOS_LEDGER';

/** One line of the ledger. */
export interface LedgerLine {
  readonly taskId: string;
  readonly key: string;
  readonly phase: 'start' | 'end';
  /** The workflow's attempt, and the step's within it. */
  readonly attempt: number;
  readonly stepAttempt: number;
  readonly pid: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

const RETRY: RetryPolicy = { attempts: 3, initialMs: 100, factor: 2 };
const input = z.object({ n: z.number().int(), ms: z.number().int(), to: z.string().optional() });

/** What a task of the run is created with: its number, how long its steps take, and to which task it sends signals. */
export type ChaosArguments = z.output<typeof input>;

let file: number | undefined;

/** Writes a line to the ledger. */
export function note(line: LedgerLine): void {
  const folder = process.env[LEDGER_VARIABLE];
  if (folder === undefined) return;
  if (file === undefined) {
    mkdirSync(folder, { recursive: true });
    file = openSync(join(folder, `${process.pid}-${Date.now()}.jsonl`), 'a');
  }
  writeSync(file, `${JSON.stringify(line)}\n`);
}

interface Work {
  readonly ms: number;
  /** Called when a step has begun its work. */
  readonly during?: () => void;
  /** How many tries fail before one succeeds. */
  readonly failures?: number;
}

/** A step that takes its time, whose value is its key. */
export function work(
  context: TaskContext,
  name: string,
  { ms, failures = 0, during = () => undefined }: Work,
  retry?: RetryPolicy,
): Promise<string> {
  return context.step(
    name,
    async ({ signal, attempt, idempotencyKey }) => {
      const key = idempotencyKey.slice(context.taskId.length + 1);
      const line = { taskId: context.taskId, key, attempt: context.attempt, stepAttempt: attempt, pid: process.pid };
      note({ ...line, phase: 'start', at: Date.now() });
      during();
      await wait(ms, undefined, { signal });
      note({ ...line, phase: 'end', at: Date.now() });
      if (attempt <= failures) throw new Error(`${name} fails on try ${attempt}`);
      return key;
    },
    retry,
  );
}

/** The answer to a question; the driver answers with the question's own message. */
async function ask(context: TaskContext, message: string): Promise<string> {
  const { action, content } = await context.elicit({
    message,
    requestedSchema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
  });
  return action === 'accept' ? String(content?.['answer']) : action;
}

type Run = (args: ChaosArguments, context: TaskContext) => Promise<readonly string[]>;

/** A tool of a run. */
export function tool(name: string, description: string, run: Run, retry?: RetryPolicy) {
  return defineTool({
    name,
    description,
    input,
    task: 'required',
    ...(retry !== undefined && { retry }),
    run: async (args, context) => `${args.n}: ${(await run(args, context)).join(' ')}`,
  });
}

const steps: Run = async ({ ms }, context) => {
  const values: string[] = [];
  for (let part = 1; part <= 8; part++) {
    values.push(await work(context, 'part', { ms }));
    context.progress({ progress: part, total: 8 });
  }
  return values;
};

const sleeps: Run = async ({ ms }, context) => {
  const values = [await work(context, 'before', { ms })];
  await context.sleep('nap', 5 * ms);
  values.push(await work(context, 'between', { ms }));
  await context.sleep('nap', 10 * ms);
  return [...values, await work(context, 'after', { ms })];
};

const asks: Run = async ({ n, ms }, context) => {
  const values = [await work(context, 'before', { ms })];
  values.push(await ask(context, `first of ${n}`));
  context.status('once more');
  values.push(await work(context, 'between', { ms }), await ask(context, `second of ${n}`));
  return [...values, await work(context, 'after', { ms })];
};

const flakySteps: Run = async ({ ms }, context) => [
  await work(context, 'sound', { ms }),
  await work(context, 'flaky', { ms, failures: 2 }, RETRY),
  await work(context, 'flaky', { ms, failures: 1 }, RETRY),
];

const flakyWorkflow: Run = async ({ ms }, context) => {
  const values = [await work(context, 'kept', { ms })];
  if (context.attempt < 3) throw new Error(`attempt ${context.attempt} fails`);
  return [...values, await work(context, 'last', { ms })];
};

const hopeless: Run = async ({ n, ms }, context) => {
  await work(context, 'kept', { ms });
  await work(context, 'doomed', { ms, failures: 9 });
  return [`${n} cannot get here`];
};

const parallel: Run = async ({ n, ms }, context) => {
  const branches = ['a', 'b', 'c'].map((name, index) => work(context, name, { ms: ms * (index + 1) }));
  const values = await Promise.all([...branches, ask(context, `left of ${n}`), ask(context, `right of ${n}`)]);
  return [...values, await work(context, 'join', { ms })];
};

const race: Run = async ({ n, ms }, context) => {
  const winner = await Promise.race([ask(context, `race of ${n}`).then(() => 'answer'), context.sleep('limit', 1_000).then(() => 'timer')]);
  await work(context, 'after', { ms });
  return [winner];
};

const endless: Run = async ({ ms }, context) => {
  for (;;) {
    await work(context, 'round', { ms });
    await context.sleep('pause', 5 * ms);
  }
};

/** What `calls` calls, and what it gets; the numbers are those of no other task. */
const CALLED = ['sleeps', 'flaky-steps', 'asks', 'steps'];
const numberOf = (n: number, part: number): number => 1_000_000 + 10 * n + part;

const calls: Run = async ({ n, ms }, context) => {
  const results = CALLED.map((name, part) => context.call(name, { n: numberOf(n, part), ms }));
  const values = (await Promise.all(results)).map(({ content: [first] }) => (first?.type === 'text' ? first.text : ''));
  return [...values, await work(context, 'join', { ms })];
};

const endlessCalls: Run = async ({ n, ms }, context) => {
  await Promise.all([0, 1].map((part) => context.call('endless', { n: numberOf(n, part), ms })));
  return [];
};

/** Nothing but what was sent to it comes to a task, and each of it once. */
async function nothingMore(context: TaskContext, name: string): Promise<string> {
  return (await context.waitFor(name, { timeoutMs: 100 })) === undefined ? 'no more' : 'one too many';
}

const sends: Run = async ({ ms, to = '' }, context) => {
  const values: string[] = [];
  for (const item of ['one', 'two']) {
    values.push(await work(context, 'before', { ms }));
    await context.sendSignal(to, 'item', item);
  }
  return values;
};

const signals: Run = async ({ n, ms }, context) => {
  const sent = context.call('sends', { n: numberOf(n, 0), ms, to: context.taskId });
  const values = [await context.waitFor<string>('item'), await context.waitFor<string>('item')];
  await sent;
  return [...values, await nothingMore(context, 'item'), await work(context, 'after', { ms })];
};

/** The beginning of a question for which its client sends a signal to the address that follows, before it answers. */
export const POST_TO = 'post to ';

const callback: Run = async ({ ms }, context) => {
  const { url, wait: posted } = await context.callback<string>('posted');
  const [value = ''] = await Promise.all([posted(), ask(context, `${POST_TO}${url}`)]);
  return [value, await nothingMore(context, 'posted'), await work(context, 'after', { ms })];
};

/** Read by `loadFeatures`. */
export const features = [
  tool('steps', 'Many steps', steps),
  tool('sleeps', 'Steps and sleeps', sleeps),
  tool('asks', 'Two questions, one after the other', asks),
  tool('flaky-steps', 'Steps that fail and are retried', flakySteps),
  tool('flaky-workflow', 'A workflow that fails twice', flakyWorkflow, RETRY),
  tool('hopeless', 'A workflow that always fails', hopeless, { ...RETRY, attempts: 2 }),
  tool('parallel', 'Steps and questions at once', parallel),
  tool('race', 'A question against the clock', race),
  tool('endless', 'Goes on until it is cancelled', endless),
  tool('calls', 'Calls other tools', calls),
  tool('endless-calls', 'Calls tools that go on until they are cancelled', endlessCalls),
  tool('signals', 'Waits for signals of a tool that it calls', signals),
  tool('callback', 'Waits for a signal to an address', callback),
  tool('sends', 'Sends signals to a task', sends),
];

/** The text that the task must end with. Of a race both ends are right: its stream shows which one it must be. */
export const ENDS: Readonly<Record<string, (n: number) => readonly string[]>> = {
  steps: (n) => [`${n}: part part:2 part:3 part:4 part:5 part:6 part:7 part:8`],
  sleeps: (n) => [`${n}: before between after`],
  asks: (n) => [`${n}: before first of ${n} between second of ${n} after`],
  'flaky-steps': (n) => [`${n}: sound flaky flaky:2`],
  'flaky-workflow': (n) => [`${n}: kept last`],
  hopeless: () => ['doomed fails on try 1'],
  parallel: (n) => [`${n}: a b c left of ${n} right of ${n} join`],
  race: (n) => [`${n}: answer`, `${n}: timer`],
  endless: () => ['cancelled'],
  calls: (n) => [`${n}: ${CALLED.map((name, part) => ENDS[name]?.(numberOf(n, part))[0]).join(' ')} join`],
  'endless-calls': () => ['cancelled'],
  signals: (n) => [`${n}: one two no more after`],
  callback: (n) => [`${n}: posted no more after`],
};
