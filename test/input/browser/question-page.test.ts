/** Tests the page of a linked question in Chromium, on a phone and on a screen, in light and in dark. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../../operator/browser/desk.js';
import { openChromium } from '../../support/chromium.js';
import { forAllTests } from '../../support/for-all-tests.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { asking, PUBLIC_URL, SECRET } from '../support/asking-task.js';
import { askingTools, MARKUP } from '../support/hostile-form.js';

const gateways = gatewaysForTests({ publicUrl: PUBLIC_URL }, { features: askingTools, secret: SECRET });
const browser = forAllTests(openChromium, (opened) => opened.close());

interface Visit {
  readonly page: Page;
  /** What the browser complained of, and what it asked of other addresses. */
  readonly problems: string[];
}

async function visit(path: string, width: number, colorScheme: 'light' | 'dark'): Promise<Visit> {
  const page = await browser.context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('dialog', (dialog) => void problems.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => request.url().startsWith(new URL('/', gateways.first.url).href) || problems.push(request.url()));
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
  await page.goto(new URL(path, gateways.first.url).href);
  return { page, problems };
}

const isWiderThanItsWindow = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

describe.each([
  { width: 390, scheme: 'dark' },
  { width: 1_280, scheme: 'light' },
] as const)('the page of a question, $width px wide and $scheme', ({ width, scheme }) => {
  it('is filled in, corrected and answered, without a script and without a mistake that axe finds', async () => {
    const { path, result } = await asking(gateways);
    const { page, problems } = await visit(path, width, scheme);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await isWiderThanItsWindow(page)).toBe(false);
    expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe(
      scheme === 'dark' ? 'rgb(28, 28, 30)' : 'rgb(255, 255, 255)',
    );

    // Other programs than this browser may send what does not fit.
    await page.evaluate(`document.querySelector('form').noValidate = true`);
    await page.getByLabel(`How many ${MARKUP}`).fill('99');
    await page.getByLabel('story').fill('one\ntwo');
    await page.getByLabel('Drums').uncheck();
    await page.getByLabel('hero').selectOption('h1');
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('alert').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.getByLabel('story').inputValue()).toBe('one\ntwo');
    expect(await page.getByLabel('Drums').isChecked()).toBe(false);
    await page.getByLabel(`How many ${MARKUP}`).fill('3');
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('Your answer is recorded').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    expect(await result()).toMatchObject({
      action: 'accept',
      content: { count: 3, story: 'one\ntwo', since: '2026-01-31T10:00:00Z', agree: true, friend: 'Joey', hero: 'h1', tools: [] },
    });
    // The browser reports the status of a refused answer.
    expect(problems.filter((problem) => !problem.includes('status of 422'))).toEqual([]);
    await page.close();
  });
});

it('the page of an address shows it and opens it elsewhere, without saying from where', async () => {
  const { path, result } = await asking(gateways, 'visit', { url: new URL('/healthz', gateways.second.url).href });
  const { page } = await visit(path, 1_280, 'light');
  expect(await accessibilityProblems(page)).toEqual([]);
  const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link').click()]);
  await opened.waitForLoadState();
  expect(await opened.evaluate<string>('`${document.referrer} ${window.opener}`')).toBe(' null');
  await opened.close();
  await page.getByRole('button', { name: 'I have done that' }).click();
  await page.getByText('Your answer is recorded').waitFor();

  expect(await result()).toEqual({ action: 'accept' });
  await page.close();
});
