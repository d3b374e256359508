import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type DurableToolSpec } from '../define-tool.js';
import { accept, cancel, decline, fakeClient, noAnswer, runTool, ToolFailure, VirtualClock } from '../testing.js';
import type { DurableContext } from '../tool.js';

type Run = (context: DurableContext, args: { readonly n?: number | undefined }) => Promise<unknown>;

function tool(run: Run, spec: Partial<DurableToolSpec<z.ZodObject, z.ZodObject>> = {}) {
  return defineTool({
    name: 'trial',
    description: 'Tries.',
    task: 'required',
    ...spec,
    input: z.object({ n: z.number().optional() }),
    run: async (args, context) => (await run(context, args)) as string,
  });
}

const Approval = z.object({ approved: z.boolean() });
const Colour = z.object({ colour: z.enum(['red', 'blue']) });

describe('a run of a tool', () => {
  it('has the result, the reports and the record of the task', async () => {
    const run = await runTool(
      tool(async (context, { n }) => {
        context.status('Begun');
        context.progress(25);
        context.info({ n: n ?? 0 }, 'trial');
        const doubled = await context.step('double', () => (n ?? 0) * 2);
        await context.sleep('a day', 86_400_000);
        return `${doubled} at ${new Date(context.now()).toISOString()}`;
      }),
      { n: 4 },
    );
    expect(run).toMatchObject({
      text: '8 at 2026-01-02T00:00:00.000Z',
      result: { content: [{ type: 'text', text: '8 at 2026-01-02T00:00:00.000Z' }] },
      statuses: ['Begun'],
      progress: [{ progress: 25, total: 100 }],
      logs: [{ level: 'info', data: { n: 4 }, logger: 'trial' }],
      stepRuns: { double: 1 },
      elapsedMs: 86_400_000,
      warnings: [],
    });
    expect(run.history[0]).toMatch(/^\+0 ms TaskCreated \{"tool":"trial","arguments":\{"n":4\},/);
    expect(run.history.find((line) => line.includes('"double"'))).toMatch(
      /^\+0 ms StepCompleted \{"key":"double","value":8,"startedAt":\d+,"startedAfter":\d+\}$/,
    );
    expect(run.history.at(-1)).toMatch(/^\+86400000 ms TaskCompleted /);
  });

  it('ends with what the tool says of wrong arguments', async () => {
    const { result, text } = await runTool(
      tool(async () => 'never'),
      { n: 'four' },
    );
    expect(result.isError).toBe(true);
    expect(text).toContain('Invalid arguments for tool trial: n: ');
  });

  it('is rejected when the call ends with a JSON-RPC error, with the record so far', async () => {
    const failed = runTool(
      tool(async (context) => {
        await context.step('first', () => 1);
        throw Object.assign(new Error('No such order'), { code: -32_002, data: { order: 7 } });
      }),
    );
    await expect(failed).rejects.toThrow(ToolFailure);
    await expect(failed).rejects.toMatchObject({ message: 'Tool "trial": No such order', code: -32_002, data: { order: 7 } });
    await expect(failed).rejects.toHaveProperty('history.2', expect.stringMatching(/^\+0 ms StepCompleted \{"key":"first","value":1,/));
  });

  it('tries steps and workflows again as they say, without waiting', async () => {
    const run = await runTool(
      tool(
        async (context) => {
          await context.step('flaky', ({ attempt }) => (attempt < 3 ? Promise.reject(new Error('away')) : 'there'), { attempts: 3 });
          if (context.attempt < 2) throw new Error('again');
          return `attempt ${context.attempt}`;
        },
        { retry: { attempts: 2, initialMs: 60_000, jitter: 0 } },
      ),
    );
    expect(run).toMatchObject({ text: 'attempt 2', stepRuns: { flaky: 3 }, elapsedMs: 63_000 });
  });

  it('names a result that is no JSON by its tool', async () => {
    const { text } = await runTool(tool(async () => 1n));
    expect(text).toBe('Tool trial returned what is not JSON: it is a BigInt.');
  });

  it('completes its arguments as the request does, and cleans up after a failure', async () => {
    const cleaned: unknown[] = [];
    const run = await runTool(
      tool(
        async (context, { n }) => {
          await context.step('begin', () => `job ${n}`);
          throw new Error('It broke');
        },
        {
          prepare: async (_args, context) => ({
            n: (await context.elicit(z.object({ n: z.number() }), 'How many?')).action === 'accept' ? 5 : 0,
          }),
          cleanUp: async ({ steps }) => void cleaned.push(...steps),
        },
      ),
      {},
      { answers: accept({ n: 1 }) },
    );
    expect(run.result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'It broke' }] });
    expect(cleaned).toEqual([['begin', 'job 5']]);
  });

  it('is one of a durable tool', async () => {
    const inline = defineTool({ name: 'inline', description: '', input: z.object({}), run: () => 'now' });
    await expect(runTool(inline as never)).rejects.toThrow(
      'Tool "inline" is no durable one (task is neither "optional" nor "required"): call it with tool.call(args, fakeRequest()).',
    );
    expect(fakeClient().received).toEqual([]);
  });
});

describe('the client of a run', () => {
  const asking = tool(async (context) => {
    const first = await context.elicit(Approval, 'Publish it?');
    const second = await context.elicit(Colour, 'Which colour?');
    return `${first.action} ${JSON.stringify(second)}`;
  });

  it.each([
    ['in the order of the questions', [accept({ approved: true }), accept({ colour: 'red' })]],
    ['by a part of the message', [{ when: 'colour', answer: accept({ colour: 'red' }) }, accept({ approved: true })]],
    ['by a pattern', [{ when: /^Which/, answer: accept({ colour: 'red' }) }, accept({ approved: true })]],
    [
      'by the schema of the form',
      [
        { when: Colour, answer: accept({ colour: 'red' }) },
        { when: Approval, answer: accept({ approved: true }) },
      ],
    ],
    ['by functions', [() => accept({ approved: true }), () => Promise.resolve(accept({ colour: 'red' }))]],
  ])('answers %s', async (_how, answers) => {
    const run = await runTool(asking, {}, { answers });
    expect(run.text).toBe('accept {"action":"accept","content":{"colour":"red"}}');
    expect(run.asked.map(({ params }) => params['message'])).toEqual(['Publish it?', 'Which colour?']);
  });

  it('answers every question by one function, or by one answer', async () => {
    const byMessage = ({ message }: { readonly message: string }) => (message.includes('colour') ? cancel : decline);
    expect((await runTool(asking, {}, { answers: byMessage })).text).toBe('decline {"action":"cancel"}');
    expect((await runTool(asking, {}, { answers: decline })).text).toBe('decline {"action":"decline"}');
  });

  it('may answer with an error, and what fits no form is one of the tool', async () => {
    const refused = await runTool(asking, {}, { answers: [new Error('Not now')] });
    expect(refused.text).toContain('The client answered elicitation/create with an error: Not now');
    const wrong = await runTool(asking, {}, { answers: [accept({ approved: 'yes' })] });
    expect(wrong.result.isError).toBe(true);
  });

  it('has to have an answer to each question: the test is told which one is missing', async () => {
    await expect(runTool(asking, {}, { answers: [decline] })).rejects.toThrow(
      'Tool "trial" asked its user "Which colour?", and the test has no answer to that: add one to `answers`.',
    );
  });

  it('answers requests for messages, by text or as a whole, and lists roots', async () => {
    const sampling = tool(async (context) => {
      const first = await context.sample('Name a colour');
      const second = await context.sample('Name a town', { systemPrompt: 'Be brief' });
      const [root] = await context.roots();
      return JSON.stringify([first.content, second.model, root?.uri]);
    });
    const whole = { role: 'assistant' as const, model: 'other', content: { type: 'text' as const, text: 'Oslo' } };
    const run = await runTool(sampling, {}, { samples: ['blue', { when: 'brief', answer: whole }], roots: [{ uri: 'file:///home' }] });
    expect(run.text).toBe('[{"type":"text","text":"blue"},"other","file:///home"]');
    await expect(runTool(sampling)).rejects.toThrow(
      'Tool "trial" asked the model [{"role":"user","content":{"type":"text","text":"Name a colour"}}], and',
    );
  });

  it('may take its time, or never answer', async () => {
    const patient = tool(async (context) =>
      Promise.race([context.elicit(Approval, 'Well?').then(({ action }) => action), context.sleep('limit', 60_000).then(() => 'too late')]),
    );
    expect((await runTool(patient, {}, { answers: [{ answer: decline, afterMs: 59_999 }] })).text).toBe('decline');
    expect((await runTool(patient, {}, { answers: [{ answer: decline, afterMs: 60_001 }] })).text).toBe('too late');
    expect((await runTool(patient, {}, { answers: noAnswer })).text).toBe('too late');
  });

  it('has to answer at some time: a task that would wait for ever is named with what it waits for', async () => {
    await expect(runTool(asking, {}, { answers: noAnswer })).rejects.toThrow('Tool "trial" waits for "$elicit", which never comes.');
    const impatient = tool(async (context) => (await context.elicit(Approval, 'Well?')).action, { maxWaitMs: 5_000 });
    await expect(runTool(impatient, {}, { answers: noAnswer })).rejects.toThrow('its client did not answer within 5000 ms (maxWaitMs)');
  });

  it('can be asked for everything, unless the test says otherwise', async () => {
    const looking = tool(async ({ elicitEnabled, sampleEnabled, rootsEnabled }) => [elicitEnabled, sampleEnabled, rootsEnabled].join(' '));
    expect((await runTool(looking)).text).toBe('true true true');
    expect((await runTool(looking, {}, { client: { capabilities: { sampling: {} } } })).text).toBe('false true false');
  });
});

describe('the time of a run', () => {
  it('begins when the test says', async () => {
    const telling = tool(async (context) => new Date(context.now()).toISOString());
    expect((await runTool(telling, {}, { clock: '2030-05-01T00:00:00Z' })).text).toBe('2030-05-01T00:00:00.000Z');
    expect((await runTool(telling, {}, { clock: new Date(0) })).text).toBe('1970-01-01T00:00:00.000Z');
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
      'Tool "trial": step "hang" awaited something real for more than 50 ms (patienceMs); the clock goes on to what is due next. Let what is slow wait by the clock of the test: clock.wait(ms).',
    ]);
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

describe('a mistake in a tool is found by a run:', () => {
  it('what it awaits outside of steps and never comes', async () => {
    const stuck = tool(async (context) => {
      await context.step('first', () => 1);
      return new Promise(() => undefined);
    });
    await expect(runTool(stuck, {}, { patienceMs: 50 })).rejects.toThrow(
      'Tool "trial" awaits something that is no operation of its context (after "first"): put it into context.step, or use context.sleep for a time.',
    );
  });

  it('time and randomness outside of steps', async () => {
    const { warnings } = await runTool(
      tool(async (context) => {
        const before = Date.now();
        await context.sleep('nap', 60_000);
        return `took ${Date.now() - before} ms`;
      }),
    );
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(
      /^Tool "trial" uses Date\.now\(\) outside of a step, at .*run-tool\.unit\.test\.ts:\d+:\d+: .* use context\.now\(\)/,
    );
  });

  it('a way that is another one in a replay', async () => {
    let passes = 0;
    const changing = tool(async (context) => {
      passes += 1;
      await context.step(passes === 1 ? 'early' : 'late', () => 1);
      await context.sleep('nap', 1);
      return 'done';
    });
    await expect(runTool(changing)).rejects.toThrow(
      'Tool "trial": The workflow of tool "trial" asked for "late" where step "early" is recorded',
    );
  });

  it('a forgotten await', async () => {
    const forgetful = tool(async (context) => {
      void context.step('forgotten', () => 1);
      return 'done';
    });
    await expect(runTool(forgetful)).rejects.toThrow('The workflow has ended without having awaited step "forgotten"');
  });
});
