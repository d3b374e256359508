import { describe, expect, it } from 'vitest';
import { decline, runTool, VirtualClock } from '../testing.js';
import { Approval, tool } from './trial-tool.fixture.js';

describe('the time of a run', () => {
  it('begins when the test says', async () => {
    const dated = tool(async (context) => new Date(context.now()).toISOString());
    expect((await runTool(dated, {}, { clock: '2030-05-01T00:00:00Z' })).text).toBe('2030-05-01T00:00:00.000Z');
    expect((await runTool(dated, {}, { clock: new Date(0) })).text).toBe('1970-01-01T00:00:00.000Z');
    expect(() => new VirtualClock('soon')).toThrow('A clock starts at a time; got soon.');
  });

  it('passes for steps that wait by the clock of the test, beside sleeps', async () => {
    const clock = new VirtualClock();
    const racing = (workMs: number) =>
      tool(async (context) =>
        Promise.race([
          context.step('work', async ({ signal }) => {
            await clock.wait(workMs, signal);
            return 'done';
          }),
          context.sleep('limit', 3_600_000).then(() => 'too late'),
        ]),
      );
    expect(await runTool(racing(3_599_999), {}, { clock })).toMatchObject({ text: 'done', elapsedMs: 3_599_999, warnings: [] });
    expect(await runTool(racing(3_600_001), {}, { clock })).toMatchObject({ text: 'too late' });
  });

  it('ends a step at its limit', async () => {
    const clock = new VirtualClock();
    const slow = tool(async (context) =>
      context.step('slow', ({ signal }) => clock.wait(Number.POSITIVE_INFINITY, signal), { timeoutMs: 30_000 }),
    );
    const { text, elapsedMs } = await runTool(slow, {}, { clock });
    expect(text).toBe('Step "slow" was stopped: it did not end within 30000 ms (timeoutMs).');
    expect(elapsedMs).toBe(30_000);
  });

  it('waits for steps that do something real, and goes on without them after a while, with a warning', async () => {
    const real = tool(async (context) =>
      context.step('real', () => new Promise((resolve) => void setTimeout(resolve, 30, 'done')), { timeoutMs: 1 }),
    );
    expect((await runTool(real)).text).toBe('done');
    const hanging = tool(async (context) => context.step('hang', () => new Promise(() => undefined), { timeoutMs: 60_000 }));
    const { text, warnings } = await runTool(hanging, {}, { patienceMs: 50 });
    expect(text).toContain('Step "hang" was stopped');
    expect(warnings).toEqual([
      'Tool "trial": step "hang" awaited something real for more than 50 ms (patienceMs); the clock continues at what is due next. Let what is slow wait by the clock of the test: clock.wait(ms).',
    ]);
  });

  it('stands still while a step does something real, however many times another one waits for', async () => {
    const clock = new VirtualClock();
    const racing = tool(async (context) => {
      const real = context.step('real', () => new Promise((resolve) => void setTimeout(resolve, 50, 'real')));
      const waits = context.step('waits', () => Promise.all([clock.wait(1_000), clock.wait(2_000)]).then(() => 'waited'));
      const first = await Promise.race([real, context.sleep('limit', 500).then(() => 'too late')]);
      await waits;
      return first;
    });
    expect(await runTool(racing, {}, { clock })).toMatchObject({ text: 'real', elapsedMs: 2_000 });
  });

  it('waits on for a step that does something real for longer, where nothing else is due', async () => {
    const slow = tool(async (context) => context.step('slow', () => new Promise((resolve) => void setTimeout(resolve, 300, 'done'))));
    const { text, warnings } = await runTool(slow, {}, { patienceMs: 20 });
    expect(text).toBe('done');
    expect(warnings).toEqual([
      expect.stringContaining('step "slow" awaited something real for more than 20 ms (patienceMs); nothing else is due.'),
    ]);
  });

  it('ends a task that takes longer than it may, also while a step runs', async () => {
    const clock = new VirtualClock();
    const endless = tool(async (context) => context.step('endless', ({ signal }) => clock.wait(Number.POSITIVE_INFINITY, signal)), {
      maxRunMs: 60_000,
    });
    await expect(runTool(endless, {}, { clock })).rejects.toThrow(
      'Tool "trial": The task failed: it did not end within 60000 ms (maxRunMs).',
    );
    const unlimited = tool(async (context) => context.step('endless', () => clock.wait(Number.POSITIVE_INFINITY)));
    await expect(runTool(unlimited, {}, { clock })).rejects.toThrow('Tool "trial": step "endless" waits for what never comes.');
  });

  it('is not passed by what tasks remember of a session and of an owner', async () => {
    const remembering = tool(async (context) => {
      await context.session.set('seen', 1);
      const count = await context.step('note', () =>
        context.owner?.collection('notes').update((records) => ({ changes: [{ id: 'a', value: 1 }], result: records.size })),
      );
      return JSON.stringify([await context.session.get('seen'), count]);
    });
    expect(await runTool(remembering, {}, { kills: false })).toMatchObject({ text: '[1,0]', elapsedMs: 0 });
  });

  it('lets answers come while a step runs', async () => {
    const clock = new VirtualClock();
    const both = tool(async (context) => {
      const [answer] = await Promise.all([context.elicit(Approval, 'Well?'), context.step('work', () => clock.wait(10_000))]);
      return answer.action;
    });
    expect((await runTool(both, {}, { clock, answers: [{ answer: decline, afterMs: 5_000 }] })).text).toBe('decline');
  });
});
