import { addressRange } from '@longhaul/runtime/guarded-agent';
import { LocalServers, type RequestListener } from '@longhaul/runtime/testing';
import type { WebhooksConfig } from '@longhaul/runtime/webhook-settings';
import type { SendOutcome } from '@longhaul/tasks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpSender, openHttpSender } from './http-sender.js';

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [newSecret(), newSecret()];
const BODY = JSON.stringify({ type: 'task.completed', data: { tool: 'tool 🚀 \ud83d' } });

const servers = new LocalServers();
const senders: HttpSender[] = [];
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
  await servers.stop();
});

const ENDPOINT = { secrets: [NEW, OLD], events: ['task.completed' as const], include: [], allowPrivate: true };

/** Sends once to an endpoint that answers so. */
async function send(listener: RequestListener, endpoint: Partial<WebhooksConfig['endpoints'][string]> = {}): Promise<SendOutcome> {
  const port = await servers.start(listener);
  return sendTo({ ...ENDPOINT, url: `http://127.0.0.1:${port}/hook?a=b`, ...endpoint });
}

type More = Parameters<typeof openHttpSender> extends [unknown, ...infer Rest] ? Rest : never;

function sendTo(endpoint: WebhooksConfig['endpoints'][string], ...more: More): Promise<SendOutcome> {
  const sender = openHttpSender({ endpoints: { crm: endpoint }, calls: {} }, ...more);
  senders.push(sender);
  return sender.send({ endpoint: 'crm', id: 'task-3', message: { body: BODY } });
}

describe('a webhook', () => {
  it('is signed as Standard Webhooks wants it, with each secret, and its body is as it was signed', async () => {
    let verified: unknown[] = [];
    const verify = async (request: IncomingMessage): Promise<void> => {
      const body = await buffer(request);
      const headers = request.headers as Record<string, string>;
      verified = [OLD, NEW].map((secret) => new Webhook(secret).verify(body, headers));
      expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('No matching signature');
      expect(request).toMatchObject({ method: 'POST', url: '/hook?a=b' });
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'task-3' });
    };
    const outcome = await send((request, response) => void verify(request).finally(() => response.writeHead(204).end()));
    expect(outcome).toEqual({ kind: 'delivered', status: 204 });
    expect(verified).toEqual([JSON.parse(BODY), JSON.parse(BODY)]);
  });

  it.each<[number, Record<string, string>, SendOutcome]>([
    [200, {}, { kind: 'delivered', status: 200 }],
    [500, {}, { kind: 'failed', status: 500, problem: 'HTTP 500' }],
    [400, {}, { kind: 'failed', status: 400, problem: 'HTTP 400' }],
    [429, { 'retry-after': '7' }, { kind: 'failed', status: 429, problem: 'HTTP 429', retryAfterMs: 7_000 }],
    [503, { 'retry-after': 'soon' }, { kind: 'failed', status: 503, problem: 'HTTP 503' }],
    [503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, { kind: 'failed', status: 503, problem: 'HTTP 503' }],
    [410, {}, { kind: 'refused', status: 410, problem: 'HTTP 410' }],
  ])('that is answered with %i and %j', async (status, headers, outcome) => {
    expect(await send((_, response) => void response.writeHead(status, headers).end())).toEqual(outcome);
  });

  it('follows no redirect', async () => {
    let requests = 0;
    const outcome = await send((_, response) => {
      requests += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(outcome).toEqual({ kind: 'failed', status: 307, problem: 'HTTP 307: redirects are not followed' });
    expect(requests).toBe(1);
  });

  it('is delivered though the answer is long, and little of it is read', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    let written = 0;
    const outcome = await send((_, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (written < 1_000 && response.write(chunk)) written += 1;
      };
      response.on('drain', write);
      write();
    });
    expect(outcome).toEqual({ kind: 'delivered', status: 200 });
    expect(written).toBeLessThan(100);
  });

  it('fails when the connection ends without an answer, or none can be made, and does not say where', async () => {
    expect(await send((request) => void request.socket.destroy())).toEqual({ kind: 'failed', problem: 'UND_ERR_SOCKET' });
    const port = await servers.start(() => undefined);
    await servers.stop();
    expect(await sendTo({ ...ENDPOINT, url: `http://127.0.0.1:${port}/` })).toEqual({ kind: 'failed', problem: 'ECONNREFUSED' });
  });

  it('fails when there is no answer in time, and is delivered when only the rest of the answer is missing', async () => {
    const silent = await servers.start(() => undefined);
    const problem = 'no answer within 0.2 s';
    expect(await sendTo({ ...ENDPOINT, url: `http://127.0.0.1:${silent}/` }, [], 200)).toEqual({ kind: 'failed', problem });
    const slow = await servers.start((_, response) => void response.writeHead(200).write('and'));
    expect(await sendTo({ ...ENDPOINT, url: `http://127.0.0.1:${slow}/` }, [], 200)).toEqual({ kind: 'delivered', status: 200 });
  });

  it('goes to no private address, whatever its name, unless its endpoint allows that', async () => {
    let requests = 0;
    const port = await servers.start((_, response) => {
      requests += 1;
      response.end();
    });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '[::1]', '0x7f.1'])
      expect(await sendTo({ ...ENDPOINT, url: `http://${host}:${port}/`, allowPrivate: false }), host).toEqual({
        kind: 'failed',
        problem: 'not a public address',
      });
    expect(requests).toBe(0);
  });

  it('goes to no network that counts as private here', async () => {
    const range = addressRange('203.0.113.0/24');
    const url = 'https://203.0.113.9/';
    expect(await sendTo({ ...ENDPOINT, url, allowPrivate: false }, range && [range])).toEqual({
      kind: 'failed',
      problem: 'not a public address',
    });
  });

  it('of a call goes where the settings of its host allow it, and nowhere else', async () => {
    const port = await servers.start((_, response) => void response.end());
    const host = { secrets: [NEW], include: [], allowPrivate: true };
    const sender = openHttpSender({ endpoints: {}, calls: { [`127.0.0.1:${port}`]: host } });
    senders.push(sender);
    const of = (url: string) => ({ endpoint: '$call', id: 'task-3', message: { body: BODY, url } });
    expect(sender.hostOf(of(`http://127.0.0.1:${port}/1`))).toBe(`127.0.0.1:${port}`);
    expect(await sender.send(of(`http://127.0.0.1:${port}/1`))).toEqual({ kind: 'delivered', status: 200 });
    const elsewhere = of('https://other.example/');
    expect(sender.hostOf(elsewhere)).toBeUndefined();
    expect(await sender.send(elsewhere)).toEqual({ kind: 'failed', problem: 'not in LONGHAUL_WEBHOOKS of the worker' });
  });
});
