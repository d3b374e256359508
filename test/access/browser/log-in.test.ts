/**
 * Tests that a page in Chromium, from another origin than the gateway's, gets from a 401 to a finished task and finds the authorization
 * server by itself.
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { freePort } from '@longhaul/bench/free-port';
import { readConfig } from '@longhaul/gateway';
import { expect, it } from 'vitest';
import { AuthorizationServer } from '../support/authorization-server.js';
import { guardedFeatures } from '../support/guarded-features.js';
import { startService } from '../../support/gateway/gateway.js';
import { forAllTests } from '../../support/for-all-tests.js';
import { openChromium } from '../../support/chromium.js';

async function openSite() {
  const page = await readFile(new URL('log-in.html', import.meta.url));
  const server = createServer((_request, response) => void response.setHeader('content-type', 'text/html').end(page));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const started = forAllTests(
  async () => {
    const [port, site, browser] = await Promise.all([freePort(), openSite(), openChromium()]);
    const url = `http://127.0.0.1:${port}/mcp`;
    const redirectUrl = `${site.origin}/callback`;
    const server = await AuthorizationServer.start({ resource: () => url, scopes: ['mcp', 'f:durable'], page: redirectUrl });
    const { issuers, publicUrl, scopes } = readConfig({
      LONGHAUL_ISSUERS: JSON.stringify([{ issuer: server.issuer }]),
      LONGHAUL_PUBLIC_URL: url,
      LONGHAUL_SCOPES: '{"required":["mcp","f:durable"]}',
    });
    if (issuers === undefined || publicUrl === undefined || scopes === undefined) throw new Error('The settings are not read.');
    const service = await startService({ features: guardedFeatures, settings: { port, issuers, publicUrl, scopes } });
    await service.listen();
    return { server, service, site, browser, url };
  },
  async ({ server, service, site, browser }) => {
    await browser.close();
    await service.close();
    await server.close();
    site.close();
  },
);

it('logs in by authorization code with PKCE, and gets the result of its task', async () => {
  const { browser, site, url } = started;
  const page = await browser.context.newPage();
  await page.goto(`${site.origin}/?${new URLSearchParams({ endpoint: url }).toString()}`);
  const answered = page.waitForResponse((response) => response.url() === url && response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Run' }).click();
  const refused = await answered;
  expect(refused.status()).toBe(401);
  await page.waitForURL(`${site.origin}/callback?**`);
  await page.getByText(/task completed: durable|failed/).waitFor();
  expect(await page.locator('pre').textContent()).toContain('task completed: durable');
  await page.close();
});
