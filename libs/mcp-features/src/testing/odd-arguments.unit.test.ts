/** Tests that each operation refuses arguments of a wrong kind with an error that names the operation and the argument. */
import type { TaskContext } from '@longhaul/tasks';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import type { DurableContext } from '../tool.js';
import { runTool } from './run-tool.js';

/** The context of an author of JavaScript. */
type Loose = Record<string, (...args: unknown[]) => unknown> & { readonly session: Record<string, (...args: unknown[]) => unknown> };

type Use = readonly [named: string, use: (context: Loose, odd: unknown) => unknown, accepted?: readonly unknown[]];

type OperationName = Exclude<
  { [K in keyof TaskContext]-?: TaskContext[K] extends (...args: never) => unknown ? K : never }[keyof TaskContext] | 'session',
  'listRoots' | 'ping' | 'now' | 'randomUUID'
>;

const one = () => 1;
const form = z.object({ yes: z.boolean() });
const signal = new AbortController().signal;
const unknown = { surprise: 1 };

/** Each argument of each operation, as its error names it, and odd values that are fine. */
const USES: Readonly<Record<OperationName, readonly Use[]>> = {
  step: [
    ['step: the name', (context, odd) => context['step']?.(odd, one)],
    ['step "a": run', (context, odd) => context['step']?.('a', odd)],
    ['step "a": options', (context, odd) => context['step']?.('a', one, odd)],
    ['step "a" has no option "surprise"; there are attempts,', (context) => context['step']?.('a', one, unknown)],
    ['step "a": attempts', (context, odd) => context['step']?.('a', one, { attempts: odd })],
    ['step "a": timeoutMs', (context, odd) => context['step']?.('a', one, { timeoutMs: odd })],
  ],
  sleep: [
    ['sleep: the name', (context, odd) => context['sleep']?.(odd, 1)],
    ['sleep "a": ms', (context, odd) => context['sleep']?.('a', odd)],
  ],
  call: [
    ['call: the name of a tool', (context, odd) => context['call']?.(odd)],
    ['call "a": the input', (context, odd) => context['call']?.('a', odd)],
    ['call "a": options', (context, odd) => context['call']?.('a', {}, odd)],
    ['call "a" has no option "surprise"', (context) => context['call']?.('a', {}, unknown)],
    ['call "a": the name', (context, odd) => context['call']?.('a', {}, { name: odd })],
    ['call "a": ttl', (context, odd) => context['call']?.('a', {}, { ttl: odd })],
    ['call "a": budget', (context, odd) => context['call']?.('a', {}, { budget: odd })],
    ['call "a": idempotencyKey', (context, odd) => context['call']?.('a', {}, { idempotencyKey: odd })],
  ],
  all: [
    ['all: the items', (context, odd) => context['all']?.(odd, one), [[]]],
    ['all: run', (context, odd) => context['all']?.([1], odd)],
    ['all: options', (context, odd) => context['all']?.([1], one, odd)],
    ['all has no option "surprise"', (context) => context['all']?.([1], one, unknown)],
    ['all: the name', (context, odd) => context['all']?.([1], one, { name: odd })],
    ['all: key', (context, odd) => context['all']?.([1], one, { key: odd })],
    ['all: concurrency', (context, odd) => context['all']?.([1], one, { concurrency: odd })],
  ],
  saga: [
    ['saga: run', (context, odd) => context['saga']?.(odd)],
    ['saga: options', (context, odd) => context['saga']?.(async () => 1, odd)],
    ['saga: the name', (context, odd) => context['saga']?.(async () => 1, { name: odd })],
    ['saga: the name', (context, odd) => context['saga']?.(async (saga: Loose) => saga['step']?.(odd, one, one))],
    ['saga "a": undo', (context, odd) => context['saga']?.(async (saga: Loose) => saga['step']?.('a', one, odd))],
    ['saga "a": operation', (context, odd) => context['saga']?.(async (saga: Loose) => saga['after']?.(odd, 'a', one))],
  ],
  elicit: [
    ['elicit: the question', (context, odd) => context['elicit']?.(odd)],
    ['elicit: message', (context, odd) => context['elicit']?.(form, odd), [null]],
  ],
  sample: [
    ['sample: params', (context, odd) => context['sample']?.(odd)],
    ['sample: options', (context, odd) => context['sample']?.('a', odd)],
  ],
  clientTask: [
    ['clientTask: the request', (context, odd) => context['clientTask']?.(odd)],
    ['clientTask: method', (context, odd) => context['clientTask']?.({ method: odd, params: {} })],
    ['clientTask: params', (context, odd) => context['clientTask']?.({ method: 'elicitation/create', params: odd })],
    ['clientTask: options', (context, odd) => context['clientTask']?.({ method: 'elicitation/create', params: {} }, odd)],
  ],
  whileWanted: [
    ['whileWanted: signal', (context, odd) => context['whileWanted']?.(odd, one)],
    ['whileWanted: ask', (context, odd) => context['whileWanted']?.(signal, odd)],
  ],
  waitFor: [
    ['waitFor', (context, odd) => context['waitFor']?.(odd)],
    ['waitFor "a": options', (context, odd) => context['waitFor']?.('a', odd)],
    ['waitFor "a" has no option "surprise"', (context) => context['waitFor']?.('a', unknown)],
    ['waitFor "a": timeoutMs', (context, odd) => context['waitFor']?.('a', { timeoutMs: odd })],
    ['waitFor "a": schema', (context, odd) => context['waitFor']?.('a', { schema: odd })],
  ],
  callback: [
    ['callback: the name', (context, odd) => context['callback']?.(odd)],
    ['callback "a": options', (context, odd) => context['callback']?.('a', odd)],
    ['callback "a": timeoutMs', (context, odd) => context['callback']?.('a', { timeoutMs: odd })],
    ['callback "a": schema', (context, odd) => context['callback']?.('a', { schema: odd })],
    ['callback "a": signedWith', (context, odd) => context['callback']?.('a', { signedWith: odd }), [[]]],
  ],
  sendSignal: [
    ['sendSignal: taskId', (context, odd) => context['sendSignal']?.(odd, 'a', 1)],
    ['sendSignal: name', (context, odd) => context['sendSignal']?.('id', odd, 1)],
  ],
  session: [
    ['name of a session value', (context, odd) => context.session['get']?.(odd)],
    ['name of a session value', (context, odd) => context.session['set']?.(odd, 1)],
    ['name of a session value', (context, odd) => context.session['delete']?.(odd)],
  ],
  continueAsNew: [['continueAsNew', (context, odd) => context['continueAsNew']?.(odd)]],
  changed: [['changed: the name', (context, odd) => context['changed']?.(odd)]],
  status: [['status: message', (context, odd) => context['status']?.(odd)]],
  progress: [
    ['progress: the report', (context, odd) => context['progress']?.(odd)],
    ['progress: progress', (context, odd) => context['progress']?.({ progress: odd })],
    ['progress: total', (context, odd) => context['progress']?.({ progress: 1, total: odd })],
    ['progress: message', (context, odd) => context['progress']?.({ progress: 1, message: odd })],
  ],
  expose: [['expose', (context) => context['expose']?.(undefined)]],
  spend: [['spend', (context, odd) => context['spend']?.(odd)]],
  log: [
    ['log: level', (context, odd) => context['log']?.(odd, 1)],
    ['name of a logger', (context, odd) => context['log']?.('info', 1, odd)],
  ],
  elicitationComplete: [['id of an elicitation', (context, odd) => context['elicitationComplete']?.(odd)]],
};

const ODD: readonly unknown[] = [null, [], Symbol('odd'), true];

/** What an operation throws. */
async function thrownBy(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'nothing';
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    // Uses of a name after its first have a number.
    return `${code}: ${message.replace(/"a:\d+"/, '"a"')}`;
  }
}

it('each operation names itself and its argument where that is of a wrong kind', async () => {
  const found: { named: string; odd: string; thrown: string }[] = [];
  const tool = defineTool({
    name: 'odd',
    description: 'Gives odd arguments to each operation',
    input: z.object({}),
    task: 'required',
    async run(_input, given: DurableContext) {
      const context = given as unknown as Loose;
      for (const [named, use, accepted = []] of Object.values(USES).flat())
        for (const odd of use.length === 1 ? [undefined] : ODD)
          if (!accepted.some((one) => JSON.stringify(one) === JSON.stringify(odd)))
            found.push({ named, odd: String(odd), thrown: await thrownBy(() => use(context, odd)) });
      return 'done';
    },
  });
  const { text } = await runTool(tool);
  expect(text).toBe('done');
  const wrong = found.filter(
    ({ named, thrown }) => !thrown.includes(named) || !/^(INVALID_KEY|NOT_SERIALIZABLE|undefined: \w+ "a": schema)/.test(thrown),
  );
  expect(wrong).toEqual([]);
});
