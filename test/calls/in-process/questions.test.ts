/**
 * Tests questions of plain calls by clients that can neither be asked nor follow tasks: the model is told them in words, with a link, and
 * passes on its user's answer.
 */
import { APPROVAL, createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SHOWS_APPS } from '../../support/app-clients.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { rpcSession } from '../../support/gateway/rpc.js';
import { modernClient } from '../../support/gateway-2026/modern-client.js';
import { waitUntil } from '../../support/wait-until.js';

const Place = z.object({
  seat: z.enum(['aisle', 'window']).describe('Where you sit'),
  bags: z.int().min(0).max(3).default(1),
  notes: z.string().optional(),
});

const features = createFeatureRegistry([
  defineTool({
    name: 'book',
    description: 'Books a seat',
    input: z.object({}),
    task: 'optional',
    run: async (_args, context) => JSON.stringify(await context.elicit(Place, 'Which "seat"?\nBe quick.')),
  }),
  defineTool({
    name: 'pay',
    description: 'Has the user pay',
    input: z.object({}),
    task: 'optional',
    run: async (_args, context) =>
      JSON.stringify(await context.elicit({ mode: 'url', message: 'Pay here', url: 'https://shop.example/pay?id=7', elicitationId: 'e' })),
  }),
  defineTool({
    name: 'both',
    description: 'Asks two things at once',
    input: z.object({}),
    task: 'optional',
    run: async (_args, context) => {
      const asked = ['One?', 'Two?'].map((message) => context.elicit(z.object({ it: z.string() }), message));
      return JSON.stringify((await Promise.all(asked)).map((answer) => (answer.action === 'accept' ? answer.content.it : answer.action)));
    },
  }),
  defineTool({
    name: 'allow',
    description: 'Asks whether an agent may call a tool',
    input: z.object({}),
    task: 'optional',
    run: async (_args, context) =>
      (await context.elicit({ message: 'May it?', requestedSchema: { type: 'object', properties: {} }, _meta: { [APPROVAL]: true } }))
        .action,
  }),
]);

const gateways = gatewaysForTests({ publicUrl: 'http://localhost:3000/mcp', patienceMs: 20 }, { features });

interface Told {
  readonly text: string;
  readonly isError: boolean;
}
/** A client of some protocol version, at some gateway: calls a tool, and reads what its model reads. */
type Call = (name: string, args?: object) => Promise<Told>;

const toldBy = (result: Record<string, unknown> | undefined): Told => {
  const [block] = (result?.['content'] ?? []) as { text: string }[];
  return { text: block?.text ?? '', isError: result?.['isError'] === true };
};

type Connect = (capabilities?: object) => Promise<{ call: Call; names(): Promise<string[]> }>;

const CLIENTS: Readonly<Record<'2025-11-25' | '2026-07-28', Connect>> = {
  '2025-11-25': async (capabilities = {}) => {
    const session = await rpcSession(gateways.first.app, '2025-11-25', capabilities as Record<string, unknown>);
    const list = async () => (await session.call('tools/list')).result?.['tools'] as { name: string }[];
    return {
      call: async (name, args = {}) => toldBy((await session.call('tools/call', { name, arguments: args })).result),
      names: async () => (await list()).map(({ name }) => name),
    };
  },
  '2026-07-28': async (capabilities = {}) => {
    const client = modernClient(gateways.second, capabilities);
    const list = async () => (await client.call('tools/list')).result['tools'] as { name: string }[];
    return {
      call: async (name, args = {}) => toldBy((await client.tool(name, args)).result),
      names: async () => (await list()).map(({ name }) => name),
    };
  },
};

const taskIn = ({ text }: Told): string => /task_result with {"taskId":"([^"]+)"}/.exec(text)?.[1] ?? '';
const linkIn = ({ text }: Told): string => /http:\/\/localhost:3000(\/tasks\/[\w.-]+)/.exec(text)?.[1] ?? '';

/** Asks for the result until there is one. */
const resultOf = (call: Call, taskId: string): Promise<Told> =>
  waitUntil(
    async () => {
      const told = await call('task_result', { taskId });
      return !told.text.includes('task_result') && told;
    },
    { description: 'the result is there' },
  );

describe.each(Object.entries(CLIENTS))('a plain call of a client of %s that cannot be asked', (_version, connect) => {
  it('is answered at once with the question in words, and what to do', async () => {
    const { call } = await connect();
    const told = await call('book');
    const taskId = taskIn(told);

    expect(told.isError).toBe(false);
    expect(told.text.replaceAll(taskId, 'ID').replace(/\/tasks\/[\w.-]+/, '/tasks/TOKEN')).toBe(
      `book has begun, as task ID, and waits for an answer. It continues by itself then: do not call book again for this.

The task asks the user: "Which \\"seat\\"?\\nBe quick."
Fields of the answer:
- "seat": one of "aisle", "window"; required. "Where you sit"
- "bags": a whole number from 0 to 3; may be left out; the default is 1.
- "notes": a text; may be left out.
Ask the user this now, and wait for what they say. Then call task_answer with {"taskId":"ID","key":"$elicit","action":"accept","content":{}}, where content has the fields. If the user does not want to answer, use "action":"decline". Pass on the user's own answer: never make one up, also if it seems plain.
The user can also answer on this page, which is for this one question: http://localhost:3000/tasks/TOKEN

When that is answered: to get the result of the task, call task_result with {"taskId":"ID"}.`,
    );
    await call('task_cancel', { taskId });
  });

  it('takes the answer of the user through the model, after it has refused one that does not fit', async () => {
    const { call } = await connect();
    const taskId = taskIn(await call('book'));
    const refused = await call('task_answer', { taskId, action: 'accept', content: { seat: 'roof' } });
    expect(refused).toEqual({
      isError: true,
      text: 'The field "seat" must be one of "aisle", "window". Nothing is recorded: ask the user again, and call task_answer with what they say.',
    });
    const taken = await call('task_answer', {
      taskId,
      key: '$elicit',
      action: 'accept',
      content: { seat: 'window', bags: '2', notes: null },
    });
    expect(taken).toEqual({
      isError: false,
      text: `The answer is recorded, and the task continues. For its result, call task_result with {"taskId":"${taskId}"}.`,
    });
    expect((await call('task_answer', { taskId, key: '$elicit', action: 'decline' })).text).toContain('does not ask that now');

    expect(JSON.parse((await resultOf(call, taskId)).text)).toEqual({ action: 'accept', content: { seat: 'window', bags: 2 } });
  });

  it('goes on when its user answers by the link instead', async () => {
    const { call } = await connect();
    const told = await call('book');
    const waiting = resultOf(call, taskIn(told));
    const headers = { host: 'localhost:3000', 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams({ action: 'accept', 'field-0': 'aisle', 'field-1': '0' }).toString();
    expect((await gateways.second.app.inject({ method: 'POST', url: linkIn(told), headers, payload })).statusCode).toBe(200);

    expect(JSON.parse((await waiting).text)).toEqual({ action: 'accept', content: { seat: 'aisle', bags: 0 } });
  });

  it('leaves it to the user to confirm an address, and lets the model decline it', async () => {
    const { call } = await connect();
    const told = await call('pay');
    const taskId = taskIn(told);
    expect(told.text).toContain('"https://shop.example/pay?id=7", which is of shop.example');
    const refused = await call('task_answer', { taskId, action: 'accept' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Only the user can confirm') as string });
    expect(linkIn(refused)).not.toBe('');
    await call('task_answer', { taskId, action: 'decline' });

    expect(JSON.parse((await resultOf(call, taskId)).text)).toEqual({ action: 'decline' });
  });

  it('names one of several questions, and is told what is left', async () => {
    const { call } = await connect();
    const taskId = taskIn(await call('both'));
    const unnamed = await call('task_answer', { taskId, action: 'accept', content: { it: '1' } });
    expect(unnamed).toEqual({ isError: true, text: 'key: expected one of the open questions: "$elicit", "$elicit:2"' });
    const first = await call('task_answer', { taskId, key: '$elicit:2', action: 'accept', content: { it: '2' } });
    expect(first.text).toMatch(/^The answer is recorded\.\n\nThe task asks the user: "One\?"/);
    await call('task_answer', { taskId, action: 'accept', content: { it: '1' } });

    expect((await resultOf(call, taskId)).text).toBe('["1","2"]');
  });

  it('cannot allow a call of an agent', async () => {
    const { call } = await connect();
    const told = await call('allow');
    expect(told.text).not.toMatch(/task_answer|\/tasks\//);
    expect(await call('task_answer', { taskId: taskIn(told), action: 'accept' })).toMatchObject({ isError: true });
    await call('task_cancel', { taskId: taskIn(told) });
  });

  it.each([
    [{ action: 'accept' }, 'taskId'],
    [{ taskId: 7, action: 'accept' }, 'taskId'],
    [{ taskId: 'x'.repeat(300), action: 'accept' }, 'taskId'],
    [{ taskId: 'none', action: 'maybe' }, 'action'],
    [{ taskId: 'none', action: 'accept', content: 'window' }, 'content'],
    [{ taskId: 'none', key: 'k'.repeat(300), action: 'accept' }, 'key'],
    [{ taskId: 'none', action: 'accept' }, 'There is no task none, or it has expired.'],
  ])('is told what is wrong with %j', async (args, named) => {
    const { call } = await connect();
    expect(await call('task_answer', args)).toMatchObject({ isError: true, text: expect.stringContaining(named) as string });
  });

  it.each([
    ['that can ask its user', { elicitation: {} }, false],
    ['that cannot show a form', { elicitation: { url: {} } }, true],
  ])('is listed the tool to answer only for a client that cannot be asked by a form: one %s', async (_which, capabilities, isListed) => {
    const { names } = await connect(capabilities);
    expect((await names()).includes('task_answer')).toBe(isListed);
  });

  it('is told to show the page of the task where the client shows pages, whose own tool answers then', async () => {
    const { call, names } = await connect(SHOWS_APPS);
    const told = await call('book');
    expect(told.text).toContain('Call task_view with');
    expect(told.text).not.toContain('task_answer');
    expect((await names()).filter((name) => name === 'task_answer')).toHaveLength(1);
    const taken = await call('task_answer', { taskId: taskIn(told), key: '$elicit', action: 'decline' });

    expect(JSON.parse(taken.text)).toMatchObject({ taskId: taskIn(told), questions: [] });
  });

  it('is seen and answered by nobody else', async () => {
    const [{ call }, other] = [await connect(), await CLIENTS['2025-11-25']()];
    const taskId = taskIn(await call('book'));
    const names = fc.constantFrom('task_answer', 'task_result', 'task_status', 'task_cancel');
    const answers = fc.record({
      action: fc.constantFrom('accept', 'decline', 'cancel'),
      key: fc.constantFrom('$elicit', '$elicit:2', undefined),
      content: fc.option(fc.record({ seat: fc.constantFrom('window', 'roof'), bags: fc.integer() }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(names, answers, fc.uuid(), async (name, answer, missing) => {
        const [foreign, none] = [await other.call(name, { taskId, ...answer }), await other.call(name, { taskId: missing, ...answer })];
        expect({ ...foreign, text: foreign.text.replaceAll(taskId, missing) }).toEqual(none);
        expect(none.text).toBe(`There is no task ${missing}, or it has expired.`);
      }),
      { numRuns: 30 },
    );
    await call('task_answer', { taskId, action: 'decline' });

    expect(JSON.parse((await resultOf(call, taskId)).text)).toEqual({ action: 'decline' });
  });
});
