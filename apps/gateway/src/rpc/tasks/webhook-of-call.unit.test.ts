import { describe, expect, it } from 'vitest';
import { parseParams } from '../params.js';
import { callParamsSchema } from './task-of-call.js';
import { namedWebhook, requireNoWebhook, WEBHOOK } from './webhook-of-call.js';

const HOST = { secrets: [], include: [], allowPrivate: false };
const HOSTS = { 'hooks.example.com': HOST, '127.0.0.1:9000': { ...HOST, include: ['results' as const], allowPrivate: true } };
const paramsWith = (webhook: unknown) => ({ name: 'work', _meta: { [WEBHOOK]: webhook } });

describe('the webhook that a call names', () => {
  it('gets all events, unless the call names events', () => {
    expect(namedWebhook({ url: 'https://hooks.example.com/1?a=b' }, HOSTS)).toEqual({
      endpoint: '$call',
      url: 'https://hooks.example.com/1?a=b',
      events: ['task.input_required', 'task.completed', 'task.failed', 'task.cancelled'],
    });
    const events = ['task.failed' as const, 'task.failed' as const];
    expect(namedWebhook({ url: 'HTTPS://HOOKS.EXAMPLE.COM', events }, HOSTS)).toMatchObject({
      url: 'https://hooks.example.com/',
      events: ['task.failed'],
    });
  });

  it('contains what the settings of its host allow', () => {
    expect(namedWebhook({ url: 'http://127.0.0.1:9000/' }, HOSTS)).toMatchObject({ include: ['results'] });
  });

  it.each<[string, string]>([
    ['https://other.example.com/', 'this server allows no webhooks of calls to that host'],
    ['https://hooks.example.com:8443/', 'this server allows no webhooks of calls to that host'],
    ['https://hooks.example.com.evil.example/', 'this server allows no webhooks of calls to that host'],
    ['https://constructor/', 'this server allows no webhooks of calls to that host'],
    ['http://hooks.example.com/', 'must be an https: URL'],
    ['https://hooks.example.com@evil.example/', 'must not contain a name or a password'],
    ['javascript:alert(1)', 'must be an https: URL'],
  ])('is not %s', (url, problem) => {
    expect(() => namedWebhook({ url }, HOSTS)).toThrow(`params._meta["longhaul/webhook"].url: ${problem}`);
  });

  it.each<[unknown, string]>([
    ['https://hooks.example.com', 'longhaul/webhook'],
    [{}, 'url'],
    [{ url: 1 }, 'url'],
    [{ url: 'https://hooks.example.com', secret: 'x' }, 'secret'],
    [{ url: 'https://hooks.example.com', events: [] }, 'events: names no event'],
    [{ url: 'https://hooks.example.com', events: ['task.started'] }, 'events'],
    [{ url: 'https://hooks.example.com', events: Array.from({ length: 5 }, () => 'task.failed') }, 'events: names an event twice'],
  ])('does not have the form %j', (webhook, problem) => {
    expect(() => parseParams(callParamsSchema, paramsWith(webhook))).toThrow(problem);
  });

  it('is refused where the call becomes no task', () => {
    expect(() => requireNoWebhook('echo', paramsWith({ url: 'https://hooks.example.com' }))).toThrow('tool echo is answered at once');
    expect(() => requireNoWebhook('echo', {})).not.toThrow();
  });
});
