/** Tests the pages of linked questions: who has a link answers one question, once, and learns nothing else. */
import { createKeyRing } from '@longhaul/runtime/keys';
import { createQuestionLinks } from '@longhaul/sessions/gateway';
import { AUDIT_CHAINS, type TaskId } from '@longhaul/tasks';
import { OWNERS_PER_ADDRESS } from '@longhaul/tasks/limits';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { operated, TOKENS } from '../../operator/support/operated.js';
import { forAllTests } from '../../support/for-all-tests.js';
import { gatewaysForTests, startGateways, type TestGateway } from '../../support/gateway/gateways.js';
import { waitUntil } from '../../support/wait-until.js';
import { asking, links, PUBLIC_URL, SECRET } from '../support/asking-task.js';
import { askingTools, MARKUP } from '../support/hostile-form.js';

const log: string[] = [];
const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });

const gateways = gatewaysForTests({ publicUrl: PUBLIC_URL, auditsCallers: true }, { features: askingTools, secret: SECRET, logger });

const send = (gateway: TestGateway, url: string, headers: Record<string, string> = {}, payload?: string) =>
  gateway.app.inject({
    method: payload === undefined ? 'GET' : 'POST',
    url,
    headers: { host: 'localhost:3000', ...headers },
    ...(payload !== undefined && { payload }),
  });

/** Sends a form as browsers do from a page that names no referrer. */
const fill = (gateway: TestGateway, path: string, fields: Record<string, string> | [string, string][]) =>
  send(gateway, path, { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' }, new URLSearchParams(fields).toString());

/** All that is in the audit log. */
async function auditTexts(): Promise<readonly string[]> {
  const chains = await Promise.all(AUDIT_CHAINS.map((chain) => gateways.first.store.audit.after(chain, 0, 10_000)));
  return chains.flat().map(({ text }) => text);
}

const ACCEPT = { action: 'accept', 'field-0': '3' };

describe('the page of a linked question', () => {
  it('is a form without a script, which nothing may keep, frame or load into', async () => {
    const { path } = await asking(gateways);
    const { statusCode, headers, body } = await send(gateways.first, path);

    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    const tags = [...body.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replaceAll(/"[^"]*"/g, ''));
    expect(tags.filter((tag) => /^<(script|img|link|a|base|iframe)\b|\s(href|src|on\w+)=/i.test(tag))).toEqual([]);
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('is looked at as often as somebody likes, and answers once, at any gateway', async () => {
    const { path, result } = await asking(gateways);
    for (const gateway of [gateways.first, gateways.second, gateways.first]) expect((await send(gateway, path)).statusCode).toBe(200);
    const answered = await fill(gateways.second, path, [
      ...Object.entries(ACCEPT),
      ['field-1', ''],
      ['field-2', 'two\r\nlines'],
      ['field-6', '2026-01-31T12:00'],
      ['field-7', '1.5'],
      ['field-9', MARKUP],
      ['field-11', 'Drums'],
      ['field-11', MARKUP],
      ['field-99', 'of no field'],
    ]);
    expect(answered.statusCode).toBe(200);
    expect(answered.body).toContain('Your answer is recorded');
    for (const again of [await send(gateways.first, path), await fill(gateways.first, path, ACCEPT)]) {
      expect(again.statusCode).toBe(410);
      expect(again.body).toContain('has been answered');
    }

    expect(await result()).toEqual({
      action: 'accept',
      content: {
        count: 3,
        story: 'two\nlines',
        since: '2026-01-31T12:00:00Z',
        weight: 1.5,
        agree: false,
        friend: MARKUP,
        tools: ['Drums', MARKUP],
      },
    });
  });

  it('counts one of two answers that come at the same time', async () => {
    const { path, result } = await asking(gateways);
    const both = await Promise.all(
      [gateways.first, gateways.second].map((gateway, at) => fill(gateway, path, { ...ACCEPT, 'field-0': `${at + 1}` })),
    );
    expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 410]));
    const taken = 1 + both.findIndex(({ statusCode }) => statusCode === 200);

    expect(await result()).toMatchObject({ content: { count: taken } });
  });

  it('refuses an answer that does not fit in a sentence with the title of the field, and keeps what was entered', async () => {
    const { path, result } = await asking(gateways);
    const refused = await fill(gateways.first, path, { ...ACCEPT, 'field-0': '99', 'field-3': 'ada@example.com', 'field-11': 'Drums' });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toMatch(/role="alert">The field [^<]*How many [^<]*must be a whole number from 1 to 9\.</);
    expect(refused.body).toMatch(/name="field-0" value="99"[^>]*aria-invalid="true"/);
    expect(refused.body).toContain('name="field-3" value="ada@example.com"');
    expect(refused.body).toContain('value="Drums" checked');
    expect(refused.body).not.toMatch(/name="field-8"[^>]* checked/);
    expect((await fill(gateways.second, path, ACCEPT)).statusCode).toBe(200);

    expect(await result()).toMatchObject({ content: { count: 3 } });
  });

  it('takes a no, and asks again for anything but yes and no', async () => {
    const { path, result } = await asking(gateways);
    for (const fields of [{}, { action: 'cancel' }, { action: 'delete', 'field-0': '3' }])
      expect((await fill(gateways.first, path, fields)).statusCode).toBe(422);
    expect((await fill(gateways.first, path, { ...ACCEPT, action: 'decline' })).body).toContain('you decline');

    expect(await result()).toEqual({ action: 'decline' });
  });

  it('shows an address to open as text, with its host, and a link only to pages', async () => {
    const shop = await asking(gateways, 'visit', { url: 'https://user@shop.example/pay?a="><script>' });
    const { body } = await send(gateways.first, shop.path);
    expect(body).toContain(
      '<a href="https://user@shop.example/pay?a=%22%3E%3Cscript%3E" target="_blank" rel="noopener noreferrer nofollow">Open shop.example</a>',
    );
    await fill(gateways.first, shop.path, { action: 'accept', 'field-0': 'of no form' });
    expect(await shop.result()).toEqual({ action: 'accept' });
    for (const url of ['javascript:alert(1)', 'data:text/html,<script>', 'file:///etc/passwd', 'nonsense "<b>']) {
      const { path } = await asking(gateways, 'visit', { url });
      expect((await send(gateways.first, path)).body).not.toMatch(/<a |<b>|<script/);
      await fill(gateways.first, path, { action: 'decline' });
    }
  });
});

describe('an address that is no link to an open question', () => {
  it('shows the same page, and only whether the link was ever one', async () => {
    const { view, path } = await asking(gateways);
    const [input] = view.pendingInputs;
    if (input === undefined) throw new Error('Nothing is asked.');
    const pathOf = (link: string | undefined): string => new URL(link ?? '').pathname;
    const long = Date.now() - 40 * 24 * 3_600_000;
    const past = createQuestionLinks(createKeyRing(SECRET), PUBLIC_URL, () => long);
    const foreign = createQuestionLinks(createKeyRing('another secret'), PUBLIC_URL);
    const over = {
      expired: pathOf(past.linkTo(view, input)),
      'of no task': pathOf(links.linkTo({ ...view, taskId: crypto.randomUUID() as TaskId }, input)),
      'of another question': pathOf(links.linkTo(view, { ...input, key: '$elicit:2' })),
      'of a question of an earlier run': pathOf(links.linkTo(view, { ...input, askedAt: input.askedAt - 1 })),
    };
    const never = {
      foreign: pathOf(foreign.linkTo(view, input)),
      'made up': '/tasks/abc',
      'cut off': path.slice(0, -2),
      'too long': `${path}${'a'.repeat(9_000)}`,
    };
    const seen = new Set<string>();
    for (const [status, paths] of [
      [410, over],
      [404, never],
    ] as const)
      for (const [what, at] of Object.entries(paths))
        for (const response of [await send(gateways.first, at), await fill(gateways.second, at, ACCEPT)]) {
          expect({ what, status: response.statusCode }).toEqual({ what, status });
          seen.add(response.body);
        }
    expect(seen.size).toBe(1);

    expect((await fill(gateways.first, path, ACCEPT)).statusCode).toBe(200);
  });

  it('is whatever text is not exactly one', async () => {
    const { path } = await asking(gateways);
    const texts = fc.oneof(
      fc.webPath(),
      fc.base64String(),
      fc.string().map((text) => `/${encodeURIComponent(text)}`),
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: '/tasks/'.length, max: path.length }), async (text, at) => {
        for (const url of [`/tasks/${text}`, path.slice(0, at) + text + path.slice(at + 1)]) {
          // A slash at the end, and a query, are no part of a link.
          if (new URL(url, PUBLIC_URL).pathname.replace(/\/$/, '') === path) continue;
          expect((await send(gateways.first, url)).statusCode).toBeGreaterThanOrEqual(400);
        }
      }),
      { numRuns: 50 },
    );
    await fill(gateways.first, path, ACCEPT);
  });
});

describe('a request to a link', () => {
  it('is refused as a page, and records nothing, where its host, type or size is not served', async () => {
    const { path, result } = await asking(gateways);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await Promise.all([
      send(gateways.first, path, { host: 'evil.example' }),
      send(gateways.first, path, { ...form, host: 'evil.example' }, 'action=decline'),
      send(gateways.first, path, { 'content-type': 'application/json' }, '{"action":"decline"}'),
      send(gateways.first, path, { 'content-type': 'text/plain' }, 'action=decline'),
      send(gateways.first, path, form, `action=decline&a=${'x'.repeat(256 * 1024)}`),
    ]);
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 415, 415, 413]);
    expect(refused.at(-1)?.body).toContain('the limit of 262144 bytes');
    for (const { headers } of refused) expect(headers['content-security-policy']).toContain("default-src 'none'");
    await fill(gateways.first, path, ACCEPT);

    expect(await result()).toMatchObject({ action: 'accept' });
  });

  it('leaves its link in no log and no audit record', async () => {
    const { view, path } = await asking(gateways);
    for (const url of [path, `${path}x`]) await fill(gateways.first, url, { ...ACCEPT, 'field-0': '99' });
    await send(gateways.first, path, { host: 'evil.example' });
    await fill(gateways.first, path, ACCEPT);
    const isAnswer = (text: string): boolean => [view.taskId, '"question.answer"', '"done"'].every((part) => text.includes(part));
    const audited = await waitUntil(async () => (await auditTexts()).find(isAnswer), { description: 'the answer is in the audit log' });
    expect(JSON.parse(audited)).toMatchObject({ action: 'question.answer', details: { key: '$elicit', via: 'link' } });
    const written = [...log, ...(await auditTexts())].join('');
    expect(written).toContain('evil.example');
    expect(written).not.toContain(path.slice('/tasks/'.length));
  });

  it('is counted against the limit of its address, and refused as a page', async () => {
    const others = await startGateways({ publicUrl: PUBLIC_URL, requestRate: { perSecond: 1, burst: 1 } }, { secret: SECRET });
    const tried = await Promise.all(Array.from({ length: OWNERS_PER_ADDRESS + 50 }, () => send(others.first, '/tasks/abc')));
    await others.close();
    const refused = tried.find(({ statusCode }) => statusCode === 429);

    expect(refused?.headers).toMatchObject({
      'retry-after': expect.any(String) as string,
      'content-type': 'text/html; charset=utf-8',
    });
    expect(refused?.body).toContain('try again in a while');
  });

  it('is taken whichever page sends it: the link is all that it takes', async () => {
    const { path } = await asking(gateways);
    const from = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' };
    expect((await send(gateways.first, path, from, 'action=decline')).statusCode).toBe(200);
  });
});

describe('an operator', () => {
  const desk = forAllTests(
    () => operated(gateways.first.store, { LONGHAUL_PUBLIC_URL: PUBLIC_URL, LONGHAUL_SECRET: SECRET }),
    ({ operator }) => operator.close(),
  );
  const linkOf = async (taskId: string, token?: string): Promise<unknown> => {
    const { body } = await desk.get('/api/v1/questions', token === undefined ? {} : { authorization: `Bearer ${token}` });
    return (body as { questions: { taskId: string; link?: string }[] }).questions.find((question) => question.taskId === taskId)?.link;
  };

  it('who may answer gets a link to pass on, and is named in the record of its answer', async () => {
    const { view, result } = await asking(gateways);
    const link = await linkOf(view.taskId);
    expect((await fill(gateways.second, new URL(String(link)).pathname, ACCEPT)).statusCode).toBe(200);
    expect(await result()).toMatchObject({ action: 'accept' });
    const events = (await gateways.store.tasks()).find(({ taskId }) => taskId === view.taskId)?.events ?? [];

    expect(events.filter(({ type }) => type === 'InputReceived').map(({ data }) => (JSON.parse(data) as { via: string }).via)).toEqual([
      'link:operator:ada',
    ]);
  });

  it('who may only read gets none', async () => {
    const { view, path } = await asking(gateways);
    expect(await linkOf(view.taskId, TOKENS.reader)).toBeUndefined();
    await fill(gateways.first, path, ACCEPT);
  });
});
