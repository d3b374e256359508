/** Tests that questions are answered on the operator page: each by its form, or several of a tool at once. */
import type { JsonObject, TaskId } from '@longhaul/tasks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, leave, openDesk } from './desk.js';

const REASON = 'asked for by phone';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterEach(() => desk.closePages());
afterAll(() => desk?.close());

/** Everything that an elicitation may ask for. */
const EVERYTHING: JsonObject = {
  message: 'Everything?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2, maxLength: 20 },
      mail: { type: 'string', title: 'Mail', format: 'email' },
      site: { type: 'string', title: 'Site', format: 'uri' },
      day: { type: 'string', title: 'Day', format: 'date' },
      instant: { type: 'string', title: 'Instant', format: 'date-time' },
      count: { type: 'integer', title: 'Count', minimum: 1, maximum: 9 },
      share: { type: 'number', title: 'Share', minimum: 0, maximum: 1 },
      sure: { type: 'boolean', title: 'Sure' },
      perhaps: { type: 'boolean', title: 'Perhaps' },
      plain: { type: 'string', title: 'Plain', enum: ['a', 'b'] },
      named: { type: 'string', title: 'Named', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      titled: {
        type: 'string',
        title: 'Titled',
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
      },
      some: { type: 'array', title: 'Some', items: { type: 'string', enum: ['x', 'y', 'z'] }, minItems: 1, maxItems: 2 },
      others: {
        type: 'array',
        title: 'Others',
        items: {
          anyOf: [
            { const: 'p', title: 'Pea' },
            { const: 'q', title: 'Queue' },
          ],
        },
      },
      usual: { type: 'string', title: 'Usual', default: 'as usual' },
      left: { type: 'string', title: 'Left out' },
    },
    required: ['name', 'mail', 'site', 'day', 'instant', 'count', 'share', 'sure', 'plain', 'named', 'titled', 'some'],
  },
};

describe('a question', () => {
  const answerTo = async (taskId: TaskId): Promise<unknown> => {
    const { body } = await desk.api.get(`/api/v1/tasks/${taskId}/history?after=4`);
    return (body['events'] as { data: { answer?: { response: unknown } } }[])[0]?.data.answer?.response;
  };

  it('has a field for everything that may be asked for, and its answer is recorded as it was given', async () => {
    const taskId = await desk.api.ask(EVERYTHING);
    const page = await desk.visit('questions');
    const form = page.getByRole('article', { name: 'Everything?' });
    const texts = {
      Name: 'Ada',
      Mail: 'ada@example.com',
      Site: 'https://example.com/a',
      Day: '2026-11-23',
      Instant: '2026-11-23T18:30:00',
      Count: '3',
      Share: '0.25',
    };
    for (const [label, text] of Object.entries(texts)) await form.getByLabel(label, { exact: false }).first().fill(text);
    await form.getByLabel('Sure').check();
    await form.getByLabel('Perhaps').selectOption('no');
    await form.getByLabel('Plain').selectOption('b');
    await form.getByLabel('Named').selectOption('Green');
    await form.getByLabel('Titled').selectOption('Large');
    for (const name of ['x', 'y', 'z']) await form.getByRole('checkbox', { name, exact: true }).check();
    await form.getByRole('checkbox', { name: 'Queue' }).check();
    await form.getByRole('textbox', { name: 'Reason' }).fill(REASON);
    await form.getByRole('button', { name: 'Answer' }).click();
    await form.getByText('Choose at most 2.').waitFor();
    await form.getByRole('checkbox', { name: 'y', exact: true }).uncheck();
    await form.getByRole('button', { name: 'Answer' }).click();
    await form.waitFor({ state: 'detached' });
    const instant = await page.evaluate(`new Date('2026-11-23T18:30:00').toISOString()`);
    expect(await answerTo(taskId)).toEqual({
      action: 'accept',
      content: {
        name: 'Ada',
        mail: 'ada@example.com',
        site: 'https://example.com/a',
        day: '2026-11-23',
        instant,
        count: 3,
        share: 0.25,
        sure: true,
        perhaps: false,
        plain: 'b',
        named: 'g',
        titled: 'l',
        some: ['x', 'z'],
        others: ['q'],
        usual: 'as usual',
      },
    });
    await leave(page);
  });

  it('is answered together with all others of its tool', async () => {
    const others = [await desk.api.ask(), await desk.api.ask()];
    const page = await desk.visit('questions');
    const form = page.getByRole('article', { name: 'How many?' }).first();
    await form.getByLabel('count').fill('4');
    await form.getByRole('checkbox', { name: 'The same to all' }).check();
    await form.getByRole('textbox', { name: 'Reason' }).fill(REASON);
    await form.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('heading', { name: 'answer: done' }).waitFor();
    for (const taskId of others) expect(await answerTo(taskId)).toEqual({ action: 'accept', content: { count: 4 } });
    await leave(page);
  });

  it('is declined at its task, without filling in its form', async () => {
    const taskId = await desk.api.ask();
    const page = await desk.visit(`tasks/${taskId}`);
    const form = page.getByRole('article', { name: 'How many?' });
    await form.getByRole('textbox', { name: 'Reason' }).fill(REASON);
    await form.getByRole('button', { name: 'Decline' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await answerTo(taskId)).toEqual({ action: 'decline' });
    await leave(page);
  });
});
