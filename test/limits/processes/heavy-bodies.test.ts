/**
 * Tests the heaviest requests that the limits allow, from several callers at once. The gateway has the heap that Node gives itself in a
 * container of 512 MB. No request ends it, and another caller is served between them.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Deployment, type Process } from '../../support/deployment.js';
import { scaled } from '../../support/scale.js';
import { INITIALIZE, modern } from '../../support/wire-client.js';
import { modernHeaders, withEnvelope } from '../../support/gateway-2026/rpc.js';

const CONTAINER_MB = 512;
const HEAP_MB = CONTAINER_MB / 2;
const ATTACKERS = 8;
const REQUESTS_OF_EACH = scaled(1, 4);
const MAX_VALUES = 100_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Room for the message around what makes it heavy. */
const ROOM = 1_000;

const token = (name: string): string => `${name}-5Gd1kYt8NwQ3vRj6mZq8Zk2mVw7LpX4r`;
const attackers = Array.from({ length: ATTACKERS }, (_, index) => `attacker${index}`);
const bearer = (name: string): Record<string, string> => ({ authorization: `Bearer ${token(name)}` });

let deployment: Deployment;
let gateway: Process;
beforeAll(async () => {
  const callers = ['other', ...attackers].map((name) => `${name}:${token(name)}`).join(',');
  deployment = Deployment.create({
    LONGHAUL_TOKENS: callers,
    LONGHAUL_FEATURES: '@longhaul/everything,@longhaul/reference-servers/memory',
  });
  gateway = await deployment.gateway({ LOG_LEVEL: 'error' }, [`--max-old-space-size=${HEAP_MB}`]);
});
afterAll(() => deployment.close());

const empties = (count: number): object[] => Array.from({ length: count }, () => ({}));
const members = (count: number, value: unknown): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
const json = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

interface Heavy {
  readonly body: string;
  readonly headers?: Record<string, string>;
}

function newer(method: string, params: Record<string, unknown>): Heavy {
  return { body: json(method, withEnvelope(params)), headers: modernHeaders(method, params) };
}

const many = MAX_VALUES - ROOM;
const heavy: Record<string, () => Heavy> = {
  'icons of a client': () => ({
    body: json('initialize', { ...INITIALIZE, clientInfo: { name: 'a', version: '1', icons: empties(many) } }),
  }),
  'a million icons': () => ({
    body: json('initialize', { ...INITIALIZE, clientInfo: { name: 'a', version: '1', icons: empties(1_000_000) } }),
  }),
  'wrong items': () => newer('tools/call', { name: 'create_entities', arguments: { entities: empties(many) } }),
  'wrong items behind one with null': () =>
    newer('tools/call', {
      name: 'create_entities',
      arguments: { entities: [{ name: null, entityType: 'x', observations: [] }, ...empties(many)] },
    }),
  'wrong members': () => newer('prompts/get', { name: 'args-prompt', arguments: members(many, 1) }),
  'answers that nobody asked for': () =>
    newer('tools/call', { name: 'echo', arguments: { message: 'x' }, inputResponses: members(many, {}) }),
  'a long text': () => newer('tools/call', { name: 'echo', arguments: { message: 'x'.repeat(MAX_BYTES - ROOM) } }),
  'a long text of what JSON escapes': () => newer('tools/call', { name: 'echo', arguments: { message: '"'.repeat(MAX_BYTES / 2 - ROOM) } }),
  'deep lists': () => newer('tools/call', { name: 'echo', arguments: { message: `${'['.repeat(200)}${']'.repeat(200)}` } }),
};

async function send(name: string, { body, headers }: Heavy): Promise<number> {
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(gateway.url, { method: 'POST', body, headers: { ...accept, ...headers, ...bearer(name) } });
  await response.text();
  return response.status;
}

it.each(Object.entries(heavy))('%s, from eight callers at once, do not end a gateway with 512 MB', async (_what, make) => {
  const request = make();
  const running = new Set(attackers);
  const attacks = Promise.all(
    attackers.map(async (name) => {
      const statuses = [];
      for (let count = 0; count < REQUESTS_OF_EACH; count++) statuses.push(await send(name, request));
      running.delete(name);
      return statuses;
    }),
  );
  const answers = [];
  while (running.size > 0) answers.push(await modern(gateway.url, 'server/discover', {}, bearer('other')));

  for (const status of (await attacks).flat()) expect([200, 400, 413, 429, 503]).toContain(status);
  // On a full machine the store may seem to be away for a moment.
  expect(answers.filter(({ status, retryAfter }) => status !== 200 && retryAfter === null)).toEqual([]);
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(peakMb()).toBeLessThan(CONTAINER_MB);
});

/** Memory that the process has had at most. */
function peakMb(): number {
  const status = readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
