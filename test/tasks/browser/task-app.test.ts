/**
 * Tests the task app in Chromium, in the frame that the specification of MCP Apps requires. The frame may only run scripts, has the
 * strictest Content Security Policy, and can communicate only with the host.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAskingTask, PEOPLE, serviceWithPeople, SHOWS_APPS, TASK_PAGE } from '../../support/app-clients.js';
import { type Browser, openChromium } from '../../support/chromium.js';
import { connectStock, type StockClient } from '../../support/stock-clients.js';

/** The policy that a host must use for a page that names no other origins. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

/** A host: hands what the page asks to the test, and notes what the page sends it. */
const HOST = `<!doctype html><meta charset="utf-8"><title>Host</title>
<iframe src="/app" sandbox="allow-scripts" style="width:600px;height:900px"></iframe>
<script>
  const frame = document.querySelector('iframe');
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  window.notified = [];
  window.addEventListener('message', async ({ source, data: { id, method, params } }) => {
    if (source !== frame.contentWindow) return;
    if (id === undefined) {
      window.notified.push(method);
      if (method === 'ui/notifications/initialized') send({ method: 'ui/notifications/tool-result', params: await window.firstResult() });
    } else if (method === 'ui/initialize') {
      const hostContext = { theme: 'dark', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } } };
      send({ id, result: { protocolVersion: params.protocolVersion, hostInfo: { name: 'host', version: '1' }, hostCapabilities: { serverTools: {} }, hostContext } });
    } else if (method === 'tools/call') send({ id, result: await window.callTool(params.name, params.arguments) });
    else send({ id, error: { code: -32601, message: 'Method not found' } });
  });
  window.tearDown = () => send({ id: 'end', method: 'ui/resource-teardown', params: { reason: 'closed' } });
</script>`;

const service = serviceWithPeople();
let url: string;
let browser: Browser;
let site: Server;
let app = '';

beforeAll(async () => {
  site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url === '/app') response.setHeader('content-security-policy', POLICY);
    response.end(request.url === '/app' ? app : HOST);
  });
  site.listen(0, '127.0.0.1');
  [url, browser] = await Promise.all([service.listen(), openChromium()]);
});
afterAll(async () => {
  await browser?.close();
  site?.closeAllConnections();
  site?.close();
});

/** The host of a client that shows the task. */
async function openHost(client: StockClient, taskId: string): Promise<{ readonly page: Page; readonly view: FrameLocator }> {
  const { contents } = await client.read(TASK_PAGE);
  app = String(contents[0]?.['text']);
  const page = await browser.context.newPage();
  await page.exposeFunction('callTool', (name: string, args: Record<string, unknown>) => client.call(name, args));
  await page.exposeFunction('firstResult', () => client.call('task_view', { taskId }));
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  return { page, view: page.frameLocator('iframe') };
}

const isMistyped = (field: { readonly validity?: { readonly typeMismatch: boolean } }): boolean | undefined => field.validity?.typeMismatch;

describe('the task app in a browser', () => {
  const connect = (person: keyof typeof PEOPLE) => connectStock('2026-07-28', url, { token: PEOPLE[person], capabilities: SHOWS_APPS });

  it('shows the task live, asks its question as a form, and shows the end', async () => {
    const client = await connect('ada');
    const { page, view } = await openHost(client, await createAskingTask(url, PEOPLE.ada));
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    await view.getByText('input required').waitFor();
    expect(await page.frames()[1]?.evaluate('getComputedStyle(document.body).color')).toBe('rgb(1, 2, 3)');

    await view.getByLabel('String with email format').fill('nowhere');
    await view.getByRole('button', { name: 'Answer' }).click();
    expect(await view.getByLabel('String with email format').evaluate(isMistyped)).toBe(true);
    await view.getByLabel('String with email format').fill('ada@example.com');
    await view.getByLabel('String', { exact: false }).first().fill('Ada Lovelace');
    await view.getByLabel('Boolean').check();
    await view.getByLabel('String with date format').fill('1815-12-10');
    await view.getByLabel('Integer').fill('7');
    await view.getByLabel('Integer').press('Enter');

    await view.getByText('completed', { exact: true }).waitFor();
    const result = await view.getByLabel('Result').textContent();
    for (const given of ['Ada Lovelace', 'ada@example.com', '1815-12-10', '7', '3.14', 'It was a dark and stormy night.'])
      expect(result).toContain(given);
    expect(await view.getByRole('button').count()).toBe(0);
    const notified = await page.evaluate<string[]>('window.notified');
    expect(notified).toEqual(expect.arrayContaining(['ui/notifications/initialized', 'ui/notifications/size-changed']));
    expect(problems).toEqual([]);
    await page.close();
    await client.close();
  });

  it('shows nobody the task of somebody else, and lets its user decline', async () => {
    const [ada, bob] = [await connect('ada'), await connect('bob')];
    const taskId = await createAskingTask(url, PEOPLE.ada);
    const own = await openHost(ada, taskId);
    await own.view.getByRole('button', { name: 'Decline' }).waitFor();
    const foreign = await openHost(bob, taskId);
    await foreign.view.getByText('There is no such task, or it has expired.').waitFor();
    expect(await foreign.view.getByRole('button').count()).toBe(0);
    await own.view.getByRole('button', { name: 'Decline' }).click();
    await own.view.getByText('completed', { exact: true }).waitFor();
    await Promise.all([own.page.close(), foreign.page.close()]);
    await Promise.all([ada.close(), bob.close()]);
  });
});
