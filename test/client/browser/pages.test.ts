/**
 * Tests that a page in Chromium runs a task over a gateway and a worker in separate processes. The page is the example of docs/client.md,
 * with the client library bundled as described there. It comes from another origin than the gateway's.
 */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { section } from '../../docs/documents.js';
import { Deployment } from '../../support/deployment.js';
import { type Browser, openChromium } from '../../support/chromium.js';

const root = new URL('../../../', import.meta.url).pathname;
const PAGE = 'page.html';
const LIBRARY = 'longhaul-client.js';

let folder: string;
let deployment: Deployment;
let site: Awaited<ReturnType<typeof openSite>>;
let browser: Browser;
let endpoint: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-page-'));
  const [opened] = await Promise.all([openSite(), bundle(join(folder, LIBRARY))]);
  site = opened;
  deployment = Deployment.create({
    LONGHAUL_RESEARCH_STAGE_MS: '300',
    LONGHAUL_ALLOWED_ORIGINS: site.originOf('served.localhost'),
  });
  const [gateway, chromium] = await Promise.all([deployment.gateway(), openChromium(), deployment.worker()]);
  endpoint = gateway.url;
  browser = chromium;
});
afterAll(async () => {
  await browser?.close();
  await deployment?.close();
  site?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Bundles the library with the command of the document. */
async function bundle(file: string): Promise<void> {
  const [, args = ''] = /^npx rolldown (.*)$/m.exec(section('docs/client.md', 'In a page')) ?? [];
  const rolldown = new URL('../../../node_modules/rolldown/bin/cli.mjs', import.meta.url).pathname;
  const own = args.split(' ').map((arg) => (arg === LIBRARY ? file : arg));
  await promisify(execFile)(process.execPath, [rolldown, ...own], { cwd: root });
}

/** Serves the page and the library. Every name below `localhost` is this machine, and each an origin of its own. */
async function openSite() {
  const server = createServer((request, response) => {
    const isLibrary = request.url === `/${LIBRARY}`;
    response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html');
    readFile(isLibrary ? join(folder, LIBRARY) : join(root, 'docs/examples', PAGE)).then(
      (body) => response.end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    originOf: (name: string) => `http://${name}:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The page, from a host of that name. */
async function visit(name: string, search: Record<string, string> = {}): Promise<Page> {
  const page = await browser.context.newPage();
  await page.goto(`${site.originOf(name)}/?${new URLSearchParams({ endpoint, ...search }).toString()}`);
  return page;
}

describe.each(['2026-07-28', '2025-11-25'])('a page of an origin that is served, in revision %s', (generation) => {
  it('runs a task, goes on with it when it is loaded again, asks its user and shows the result', async () => {
    const page = await visit('served.localhost', { generation });
    await page.getByRole('button', { name: 'Research' }).click();
    await page.getByText('input_required Found multiple interpretations').waitFor();
    await page.getByRole('combobox').waitFor();
    // The other revision has no progress of tasks.
    if (generation === '2025-11-25') await expect.poll(() => progressOf(page)).toBe(2);

    await page.reload();
    await page.getByRole('combobox').selectOption('historical');
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('# Research Report: tides (historical)').waitFor();
    await page.close();
  });
});

function progressOf(page: Page): Promise<number> {
  return page.getByRole('progressbar').evaluate((bar: { readonly value?: number }) => bar.value ?? -1);
}

describe('a page of another origin', () => {
  it('is refused, and learns nothing but that', async () => {
    const page = await visit('foreign.localhost');
    const refused = page.waitForEvent('console', (message) => message.text().includes('CORS policy'));
    await page.getByRole('button', { name: 'Research' }).click();
    expect((await refused).text()).toContain(`from origin '${site.originOf('foreign.localhost')}' has been blocked`);
    await page.close();
  });
});
