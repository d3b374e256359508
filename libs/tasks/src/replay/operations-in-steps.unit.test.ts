import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { UsedName } from './context-operation.js';
import type { TaskContext } from './task-context.js';

const question = { message: 'Which?', requestedSchema: { type: 'object' as const, properties: {} } };
const message = { role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } };

/** The message of the error of a task that does something in its step "outer". */
async function within(use: (context: TaskContext) => unknown): Promise<unknown> {
  let tries = 0;
  const engine = new Engine(async (context) =>
    context.step(
      'outer',
      async () => {
        tries += 1;
        await use(context);
      },
      { attempts: 2, initialMs: 0 },
    ),
  );
  const id = await engine.create();
  await engine.settle();
  expect(tries).toBe(1);
  return engine.value(id);
}

type Use = (context: TaskContext) => unknown;

/** Each operation, as it is named when it is refused, and what to use in its place; nothing of one that steps may use. */
const USES: { readonly [K in UsedName]: readonly (readonly [string, Use] | readonly [string, Use, string])[] } = {
  step: [['step("inner")', (context) => context.step('inner', () => 1)]],
  sleep: [['sleep("nap")', (context) => context.sleep('nap', 1)]],
  call: [['call("other")', (context) => context.call('other')]],
  all: [['all', (context) => context.all([1], () => 1)]],
  saga: [['saga', (context) => context.saga(async () => 1)]],
  elicit: [['elicit', (context) => context.elicit(question)]],
  sample: [['sample', (context) => context.sample({ messages: [message], maxTokens: 1 })]],
  listRoots: [['listRoots', (context) => context.listRoots()]],
  ping: [['ping', (context) => context.ping()]],
  clientTask: [['clientTask', (context) => context.clientTask({ method: 'elicitation/create', params: {} })]],
  continueAsNew: [['continueAsNew', (context) => context.continueAsNew({})]],
  session: [
    ['session.get', (context) => context.session.get('a')],
    ['session.set', (context) => context.session.set('a', 1)],
    ['session.delete', (context) => context.session.delete('a')],
  ],
  changed: [['changed', (context) => context.changed('a')]],
  now: [['now', (context) => context.now(), 'Date.now()']],
  randomUUID: [['randomUUID', (context) => context.randomUUID(), 'crypto.randomUUID()']],
  waitFor: [['waitFor("a")', (context) => context.waitFor('a')]],
  callback: [['callback("a")', (context) => context.callback('a')]],
  sendSignal: [['sendSignal("a")', (context) => context.sendSignal('id', 'a', 1)]],
  whileWanted: [],
  status: [],
  progress: [],
  expose: [],
  spend: [],
  log: [],
  elicitationComplete: [],
};

const all = Object.values(USES).flat();
const REFUSED = all.flatMap(([used, use, instead]): [string, Use][] => (instead === undefined ? [[used, use]] : []));
const REPLACED = all.flatMap(([used, use, instead]): [string, string, Use][] => (instead === undefined ? [] : [[used, instead, use]]));

describe('an operation within a step', () => {
  it.each(REFUSED)('is refused, and not tried again: %s', async (used, use) => {
    expect(await within(use)).toBe(
      `TerminalError: Tool "tool" uses context.${used} within step "outer", where a replay never comes to it: move it out of the step.`,
    );
  });

  it.each(REPLACED)('says what to use in its place: %s', async (used, instead, use) => {
    expect(await within(use)).toBe(
      `TerminalError: Tool "tool" uses context.${used} within step "outer", where a replay never comes to it: use ${instead} there.`,
    );
  });

  it('may report progress', async () => {
    const engine = new Engine(async (context) => context.step('outer', () => context.progress({ progress: 1 })));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.story(id)).toContain('ProgressReported');
  });

  it('may report, and hides none of the reports that its function makes in a later pass', async () => {
    const engine = new Engine(async (context) => {
      const report = (text: string): void => {
        context.status(text);
        context.log('info', text);
        context.elicitationComplete(text);
        context.expose(text);
      };
      report('before');
      await context.step('outer', () => ['one', 'two'].forEach(report));
      await context.sleep('nap', 1_000);
      report('after the nap');
      await context.sleep('another nap', 1_000);
      report('at the end');
    });
    const id = await engine.create();
    await engine.settle();
    const events = await engine.events(id);
    const all = ['before', 'one', 'two', 'after the nap', 'at the end'];
    expect(events.flatMap((event) => (event.type === 'StatusReported' ? [event.data.message] : []))).toEqual(all);
    const sent = events.flatMap((event) => (event.type === 'NotificationSent' ? [event.data.params] : []));
    expect(sent).toEqual(all.flatMap((text) => [{ level: 'info', data: text }, { elicitationId: text }]));
    expect(events.findLast((event) => event.type === 'ValueExposed')?.data.value).toBe('at the end');
  });

  it('is one of its own task only: what a step has begun elsewhere may use that of another', async () => {
    let begin: (() => Promise<void>) | undefined;
    const engine = new Engine(async (context, args) =>
      args['isInner'] === true ? context.step('inner', () => 'done') : context.step('outer', () => begin?.()),
    );
    const outer = await engine.create();
    const inner = await engine.create({ arguments: { isInner: true } });
    const [first, second] = engine.jobs.splice(0);
    begin = async () => {
      if (second !== undefined) engine.jobs.push(second);
      await engine.settle();
    };
    if (first !== undefined) engine.jobs.push(first);
    await engine.deliver();
    expect(await engine.value(inner)).toBe('done');
    expect(await engine.story(outer)).toContain('TaskCompleted');
  });
});
