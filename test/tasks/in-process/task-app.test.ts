/** Tests the page in which users see and answer their own tasks: what a host of MCP Apps receives, in both protocol versions. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createAskingTask, PEOPLE, serviceWithPeople, SHOWS_APPS, TASK_PAGE } from '../../support/app-clients.js';
import { startService } from '../../support/gateway/gateway.js';
import { connectStock, type StockClient, VERSIONS } from '../../support/stock-clients.js';
import { waitUntil } from '../../support/wait-until.js';

const ANSWER = { name: 'Ada' };
/** What is said of an answer that does not fit: the first field, and no list of all of them. */
const ONE_FIELD = /^The field "k0" must be [^;]*$/;

const service = serviceWithPeople();
let url: string;
beforeAll(async () => {
  url = await service.listen();
});

describe.each(VERSIONS)('the task app in %s', (version) => {
  const connect = (person: keyof typeof PEOPLE, capabilities: object = SHOWS_APPS): Promise<StockClient> =>
    connectStock(version, url, { token: PEOPLE[person], capabilities });
  const show = (client: StockClient, taskId: string) => client.call('task_view', { taskId });

  it('is a page that loads nothing, with a tool that opens it and one that only it may call', async () => {
    const client = await connect('ada');
    const tools = await client.tools();
    const metaOf = (wanted: string) => tools.find(({ name }) => name === wanted)?._meta;
    expect(metaOf('task_view')).toEqual({ ui: { resourceUri: TASK_PAGE, visibility: ['model', 'app'] } });
    expect(metaOf('task_answer')).toEqual({ ui: { resourceUri: TASK_PAGE, visibility: ['app'] } });
    expect((await client.resources()).map(({ uri }) => uri)).toContain(TASK_PAGE);
    const { contents } = await client.read(TASK_PAGE);
    expect(contents).toMatchObject([{ uri: TASK_PAGE, mimeType: 'text/html;profile=mcp-app', _meta: { ui: { csp: {} } } }]);
    const html = String(contents[0]?.['text']);
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).not.toMatch(/<script[^>]+src|<link|^import |^export |https?:\/\//m);
    await client.close();
  });

  it('is not there for a client that shows no such pages', async () => {
    const client = await connect('ada', {});
    expect((await client.tools()).map(({ name }) => name)).not.toContain('task_view');
    expect((await client.resources()).map(({ uri }) => uri)).not.toContain(TASK_PAGE);
    await expect(show(client, 'any')).rejects.toThrow(/apps|capabilit/i);
    await client.close();
  });

  it('shows a task and its question, takes an answer that fits, and shows the end', async () => {
    const client = await connect('ada');
    const taskId = await createAskingTask(url, PEOPLE.ada);
    const shown = async () => (await show(client, taskId)).structuredContent as { status: string; questions: { key: string }[] };
    await waitUntil(async () => (await shown()).status === 'input_required', { description: 'the question' });
    const { questions } = await shown();
    expect(questions).toMatchObject([{ message: expect.any(String) as string, requestedSchema: { type: 'object' } }]);
    const answer = (content: object) => client.call('task_answer', { taskId, key: questions[0]?.key, action: 'accept', content });
    const refused = await answer({ ...ANSWER, email: 'nowhere' });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('email');
    const wrong = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, {}]));
    expect(await answer({ ...ANSWER, ...wrong })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(ONE_FIELD) as string }],
    });
    expect((await answer(ANSWER)).structuredContent).toMatchObject({ taskId, questions: [] });
    expect(await answer(ANSWER)).toMatchObject({ isError: true });
    await waitUntil(async () => (await shown()).status === 'completed', { description: 'the end' });
    expect(await shown()).toMatchObject({ result: expect.stringContaining('Ada') as string });
    await client.close();
  });

  it('finds the newest task of the caller that has not ended', async () => {
    const client = await connect('ada');
    const taskId = await createAskingTask(url, PEOPLE.ada);
    expect((await client.call('task_view')).structuredContent).toMatchObject({ taskId });
    await client.close();
  });

  it('shows nobody the task of somebody else, and takes no answer from them', async () => {
    const [taskId, other] = [await createAskingTask(url, PEOPLE.ada), await connect('bob')];
    const missing = { isError: true, content: [{ type: 'text', text: 'There is no such task, or it has expired.' }] };
    expect(await show(other, taskId)).toMatchObject(missing);
    expect(await other.call('task_answer', { taskId, key: 'elicit', action: 'decline' })).toMatchObject(missing);
    expect(await show(other, crypto.randomUUID())).toMatchObject(missing);
    expect(await other.call('task_view')).toMatchObject({ isError: true, content: [{ text: 'There is no task of yours.' }] });
    await other.close();
  });
});

describe('a caller of whom nothing is known', () => {
  it('has to name the task, and sees nobody else’s by leaving it out', async () => {
    const open = await startService();
    const client = await connectStock('2026-07-28', await open.listen(), { capabilities: SHOWS_APPS });
    expect(await client.call('task_view')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^taskId: /) as string }],
    });
    await client.close();
    await open.close();
  });
});
