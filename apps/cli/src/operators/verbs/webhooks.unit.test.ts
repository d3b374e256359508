import { expect, it } from 'vitest';
import { scriptedContext } from './verb-context.fixture.js';
import { listWebhooks, webhookText } from './webhooks.js';

const AT = '2026-01-31T12:00:00.000Z';
const WEBHOOK = { taskId: 'T', endpoint: 'crm', event: 'task.failed' as const, version: 3, dueAt: AT, tries: 2 };

it('are listed by what became of them', async () => {
  const webhooks = [{ ...WEBHOOK, status: 'given-up' as const, problem: 'HTTP 410' }];
  const context = scriptedContext(() => ({ webhooks }), { flags: { status: 'given-up' } });
  expect(await listWebhooks(context)).toBe(0);
  expect(context.asked).toEqual(['GET /webhooks?status=given-up&limit=50']);
  expect(context.out.at(-1)).toContain('given up after 2 tries: HTTP 410');
});

it('are described in words', () => {
  const textOf = (more: Partial<Parameters<typeof webhookText>[0]>): string => webhookText({ ...WEBHOOK, status: 'pending', ...more });
  expect(textOf({ tries: 0 })).toBe('waits');
  expect(textOf({ status: 'delivered', tries: 1 })).toBe('delivered');
  expect(textOf({ status: 'delivered' })).toBe('delivered after 2 tries');
  expect(textOf({ status: 'failing', tries: 1, problem: 'ECONNREFUSED', nextAt: AT })).toBe(
    `fails after 1 try: ECONNREFUSED; next try at ${AT}`,
  );
});
