import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type DurableToolSpec } from '../define-tool.js';
import { accept, cancel, decline, fakeClient, noAnswer, runTool, ToolFailure } from '../testing.js';
import { Approval, tool } from './trial-tool.fixture.js';

const Colour = z.object({ colour: z.enum(['red', 'blue']) });

describe('a run of a tool', () => {
  it('has the result, the reports and the record of the task', async () => {
    const run = await runTool(
      tool(async (context, { n }) => {
        context.status('Begun');
        context.progress(25);
        context.expose({ page: 1 });
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
      exposed: [{ page: 1 }],
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
    expect(text).toBe('Tool trial returned what is not JSON: value is a bigint.');
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

  it('completes its arguments with the client of the test, who has to answer there too', async () => {
    const preparing = (prepare: NonNullable<DurableToolSpec<z.ZodObject, z.ZodObject>['prepare']>) =>
      tool(async (_context, { n }) => String(n), { prepare });
    const byVersion = preparing(async (_args, { client }) => ({ n: client.protocolVersion === '2026-07-28' ? 1 : 0 }));
    expect((await runTool(byVersion, {}, { client: { generation: '2026-07-28', protocolVersion: '2026-07-28' } })).text).toBe('1');
    const asking = preparing(async (_args, context) => ({ n: (await context.elicit(Approval, 'Well?')).action === 'accept' ? 1 : 0 }));
    await expect(runTool(asking, {}, { answers: noAnswer })).rejects.toThrow(
      'Tool "trial" waits in `prepare` for an answer, which never comes.',
    );
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
    ['by a pattern that looks for all', [{ when: /^[PW]/g, answer: accept({ approved: true, colour: 'red' }) }]],
    ['by functions', [() => accept({ approved: true }), () => Promise.resolve(accept({ colour: 'red' }))]],
  ])('answers %s', async (_how, answers) => {
    const run = await runTool(asking, {}, { answers });
    expect(run.text).toBe('accept {"action":"accept","content":{"colour":"red"}}');
    expect(run.asked.map(({ params }) => params['message'])).toEqual(['Publish it?', 'Which colour?']);
  });

  it('has no schema for a question that is a page to open', async () => {
    const opening = tool(
      async (context) =>
        (await context.elicit({ mode: 'url', message: 'Open it', url: 'https://example.com/', elicitationId: 'one' })).action,
    );
    expect((await runTool(opening, {}, { answers: [{ when: Approval, answer: decline }, accept()] })).text).toBe('accept');
  });

  it('answers every question by one function, or by one answer', async () => {
    const byMessage = ({ message }: { readonly message: string }) => (message.includes('colour') ? cancel : decline);
    expect((await runTool(asking, {}, { answers: byMessage })).text).toBe('decline {"action":"cancel"}');
    expect((await runTool(asking, {}, { answers: decline })).text).toBe('decline {"action":"decline"}');
  });

  it('may answer with an error, and what fits no form fails the test, since no tool gets it', async () => {
    const refused = await runTool(asking, {}, { answers: [new Error('Not now')] });
    expect(refused.text).toContain('The client answered elicitation/create with an error: Not now');
    const wrong = runTool(asking, {}, { answers: [accept({ approved: 'yes' })] });
    await expect(wrong).rejects.toThrow('The field "approved" must be true or false.');
  });

  it('has to have an answer to each question: the test fails with the one that is missing', async () => {
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
    await expect(runTool(forgetful)).rejects.toThrow(
      'Tool "trial" has ended without having awaited step "forgotten" (libs/mcp-features/src/testing/run-tool.unit.test.ts:',
    );
  });
});
