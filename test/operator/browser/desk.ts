/** The operator page in Chromium, served by the API in this process, on a store whose tasks a test writes. */
import type { AddressInfo } from 'node:net';
import type { Feature } from '@longhaul/mcp-features';
import type { Store } from '@longhaul/sessions';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { redisAt } from '../../stores/support/stores.js';
import { operated, type Operated, TOKENS } from '../support/operated.js';
import { openChromium } from '../../support/chromium.js';

/** What is noted in each page, for the test to look at. */
interface Noted {
  readonly violations: string[];
}

/** Runs in each page before anything of it does. What runs in pages is text, because the tests know the types of Node alone. */
const NOTE = `
globalThis.noted = { violations: [] };
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  noted.violations.push(violatedDirective + ' ' + blockedURI),
);
`;

/** A browser at the page. */
export interface Desk {
  readonly api: Operated;
  readonly store: Store;
  readonly url: string;
  /** Where requests of its pages went to. */
  readonly origins: ReadonlySet<string>;
  /**
   * A page of somebody who has logged in.
   *
   * @param path a view, such as `tasks?status=failed`
   * @param at where it is served, if not at `url`
   */
  visit(path: string, who?: keyof typeof TOKENS, at?: string): Promise<Page>;
  /** Ends all visits: windows share the few connections that a browser has to a server. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/** @param features that the process has been given */
export async function openDesk(features: readonly Feature[] = []): Promise<Desk> {
  const { store, close: closeStore } = await redisAt('Redis').open();
  const [api, browser] = await Promise.all([operated(store, {}, features), openChromium()]);
  const { app } = api.operator;
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
  const origins = new Set<string>();
  const { context } = browser;
  context.on('request', (request) => origins.add(new URL(request.url()).origin));
  await context.addInitScript({ content: NOTE });
  return {
    api,
    store,
    url,
    origins,
    async visit(path, who = 'ada', at = url) {
      const response = await context.request.post(`${at}login`, { data: { token: TOKENS[who] } });
      if (!response.ok()) throw new Error(`The login was refused: ${await response.text()}`);
      const page = await context.newPage();
      await page.goto(`${at}#/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
    async closePages() {
      // Without a window the browser would end.
      await Promise.all(
        context
          .pages()
          .slice(1)
          .map((page) => page.close()),
      );
    },
    async close() {
      await browser.close();
      await api.operator.close();
      await closeStore();
    },
  };
}

/** Waits for what fades, such as a dialog that closes. A cancelled animation has ended too. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => true)`;

/** What axe-core finds wrong with the page as it is now, when nothing moves any more. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(AT_REST);
  // Evaluated by the browser's debugger, which the policy of the page does not concern.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`));
}

/** How far the page can be scrolled sideways on a narrow telephone, pixels. */
export async function sidewaysOnTelephone(page: Page): Promise<number> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const far = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  if (before !== null) await page.setViewportSize(before);
  return far;
}

/** What the page has noted. */
export function notedIn(page: Page): Promise<Noted> {
  return page.evaluate<Noted>('noted');
}

/** Ends the visit; the policy of the page may not have stopped anything of it. */
export async function leave(page: Page): Promise<void> {
  expect((await notedIn(page)).violations).toEqual([]);
}
