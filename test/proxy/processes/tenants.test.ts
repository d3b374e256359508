/**
 * Tests that nothing of one caller of proxied servers reaches another. Three tenants call tools, within requests and as tasks, set log levels,
 * answer questions, cancel, subscribe and read, at the same time and in any order, in both protocol versions. The servers, processes and URLs
 * for each kind of `sessions`, record what each of their connections received, and say again what they were told. The calls are made by a
 * gateway and a worker that have connections of their own, or share them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { openProxy, type Proxy } from '@longhaul/proxy';
import { parseServers } from '@longhaul/servers';
import { resourceUpdatedNotification } from '@longhaul/sessions';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GENERATIONS } from '../../client/support/clients.js';
import { startService, type TestService } from '../../support/gateway/gateway.js';
import { scaled } from '../../support/scale.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { type Level, ProxiedTenant } from '../support/proxied-tenant.js';
import { AS_TASK, BEHAVIOURS, type LedgerLine, type RecordingUrl, startRecordingUrl } from '../support/recording-server.js';

const LEVELS: readonly Level[] = ['debug', 'warning', 'error'];
const RUNS = scaled(3, 60);
const STEPS = 30;
const AT_ONCE = 6;
const LIMIT_MS = scaled(300_000, 1_200_000);

const SESSIONS = ['shared', 'perSession', 'perCall'] as const;
const SERVERS = ['stdio', 'http'].flatMap((kind) => SESSIONS.map((sessions) => ({ name: `${kind}-${sessions}`, kind, sessions })));
const PROGRAM = fileURLToPath(new URL('../support/recording-server.ts', import.meta.url));

const folder = new TestFolder();
const fileOf = (name: string): string => join(folder.path, `${name}.jsonl`);
const urls: RecordingUrl[] = [];
const noted: LedgerLine[] = [];
const proxies: Proxy[] = [];
let service: TestService | undefined;
let endpoint = '';

beforeAll(async () => {
  const tools = Object.fromEntries(
    BEHAVIOURS.flatMap((name) => [
      [name, { task: 'forbidden' }],
      [`${name}${AS_TASK}`, { task: 'required' }],
    ]),
  );
  const mcpServers: Record<string, object> = {};
  for (const { name, kind, sessions } of SERVERS) {
    const common = { sessions, tools };
    if (kind === 'stdio') {
      writeFileSync(fileOf(name), '');
      mcpServers[name] = { command: process.execPath, args: [PROGRAM, fileOf(name), name], ...common };
    } else {
      const url = await startRecordingUrl(name, (line) => noted.push(line));
      urls.push(url);
      mcpServers[name] = { url: url.url, ...common };
    }
  }
  const { servers } = parseServers(JSON.stringify({ mcpServers }), { from: 'x.json', env: {} });
  const warn = (line: string): void => void process.stderr.write(`${line}\n`);
  const resourceUpdated = (uri: string): void =>
    void service?.store.sessionNotifications.publishToAll(resourceUpdatedNotification(uri)).catch(warn);
  const open = (): Proxy => openProxy({ servers, isAlone: false, warn, resourceUpdated });
  const [gateway, worker] = [open(), open()];
  proxies.push(gateway, worker);
  service = await startService({
    features: createFeatureRegistry(gateway.catalogue),
    workerFeatures: createFeatureRegistry(worker.catalogue),
  });
  const { store } = service;
  await gateway.join({ process: { id: 'gateway', role: 'gateway' }, store, warn });
  await worker.join({ process: { id: 'worker', role: 'worker' }, store, warn });
  await gateway.catalogue.open(LIMIT_MS);
  endpoint = await service.listen();
}, LIMIT_MS);

afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await service?.close();
  await Promise.all(urls.map((url) => url.close()));
  folder.remove();
});

/** What one tenant does at one server. */
interface Act {
  readonly by: number;
  readonly at: number;
  readonly what: (typeof DOES)[number];
  readonly isTask: boolean;
  readonly generation: (typeof GENERATIONS)[number];
}

const CALLS = BEHAVIOURS.filter((behaviour) => behaviour !== 'rest');
const DOES = [...CALLS, 'cancel', 'read', 'prompt', 'subscribe', 'level'] as const;

const act: fc.Arbitrary<Act> = fc.record({
  by: fc.nat(LEVELS.length - 1),
  at: fc.nat(SERVERS.length - 1),
  what: fc.constantFrom(...DOES),
  isTask: fc.boolean(),
  generation: fc.constantFrom(...GENERATIONS),
});

/** Everything at each server, by each tenant in turn. */
const EACH: readonly Act[] = SERVERS.flatMap((_server, at) =>
  DOES.flatMap((what, index) =>
    [false, true].map((isTask) => {
      const by = (at + index + (isTask ? 1 : 0)) % LEVELS.length;
      return { by, at, what, isTask, generation: GENERATIONS[(at + index) % 2]! };
    }),
  ),
);

function ledger(): readonly LedgerLine[] {
  const processes = SERVERS.filter(({ kind }) => kind === 'stdio').flatMap(({ name }) => readFileSync(fileOf(name), 'utf8').split('\n'));
  return [...processes.filter((line) => line !== '').map((line) => JSON.parse(line) as LedgerLine), ...noted];
}

async function isCalled(mark: string): Promise<boolean> {
  const hasMark = ({ message }: LedgerLine): boolean => message.method === 'tools/call' && JSON.stringify(message).includes(mark);
  await waitUntil(() => ledger().some(hasMark), { description: 'the server has the call' });
  return true;
}

async function perform(tenant: ProxiedTenant, { at, what, isTask, generation }: Act): Promise<void> {
  const { name } = SERVERS[at]!;
  switch (what) {
    case 'cancel':
      return tenant.cancel(generation, name, isTask, isCalled);
    case 'read':
      return tenant.read(generation, name);
    case 'prompt':
      return tenant.prompt(generation, name);
    case 'subscribe':
      return tenant.subscribe(name);
    case 'level':
      return tenant.setLevel();
    default:
      return tenant.call(generation, name, what, isTask);
  }
}

/** Some at the same time. A process does not say which of a caller's calls asks, so these come one after the other. */
async function performAll(tenants: readonly ProxiedTenant[], acts: readonly Act[]): Promise<void> {
  for (let first = 0; first < acts.length; first += AT_ONCE) {
    const together = Map.groupBy(acts.slice(first, first + AT_ONCE), (each) =>
      SERVERS[each.at]?.name === 'stdio-perSession' ? `${each.by}` : each,
    );
    await Promise.all(
      [...together.values()].map(async (queue) => {
        for (const each of queue) await perform(tenants[each.by]!, each);
      }),
    );
  }
}

const canariesIn = (tenants: readonly ProxiedTenant[], text: string): readonly ProxiedTenant[] =>
  tenants.filter(({ canary }) => text.includes(canary));

/** No connection has met two tenants, or two calls where each has one of its own, and none has heard more than its callers meant for it. */
function requireServersApart(tenants: readonly ProxiedTenant[]): void {
  const cancelled = new Set(tenants.flatMap((tenant) => [...tenant.cancelled]));
  for (const [connection, lines] of Map.groupBy(ledger(), (line) => line.connection)) {
    const sessions = SERVERS.find(({ name }) => name === lines[0]?.server)?.sessions;
    const methods = new Set(lines.map(({ message }) => message.method));
    const all = JSON.stringify(lines);
    if (methods.has('resources/subscribe')) {
      // This one is for lists, and follows resources of all.
      for (const method of ['tools/call', 'prompts/get', 'resources/read']) expect(methods).not.toContain(method);
      continue;
    }
    const met = canariesIn(tenants, all);
    const marks = new Set(all.match(/canary-\w+#\d+\./g));
    if (sessions === 'perSession') expect(met.length, `${connection} has met ${met.map(({ name }) => name).join()}`).toBeLessThan(2);
    if (sessions === 'perCall') expect(marks.size, `${connection} has met ${[...marks].join()}`).toBeLessThan(2);
    for (const { message } of lines) {
      if (message.method === 'logging/setLevel') expect(message.params).toEqual({ level: 'debug' });
      if (sessions === 'shared' && message.method === undefined) expect(message).toHaveProperty('error');
      if (message.method !== 'notifications/cancelled') continue;
      const call = lines.find((line) => line.message.method === 'tools/call' && line.message.id === message.params?.['requestId']);
      const mark = (call?.message.params?.['arguments'] as { mark: string } | undefined)?.mark ?? '';
      if (canariesIn(tenants, mark).length > 0)
        expect([...cancelled], `${JSON.stringify(call)} is cancelled by ${JSON.stringify(message)}`).toContain(mark);
    }
    for (const tenant of tenants)
      if (sessions !== 'shared' && !met.includes(tenant) && met.length > 0)
        expect(tenant.received.join('').includes(connection), `${tenant.name} has seen ${connection} of ${met[0]?.name}`).toBe(false);
  }
}

function requireTenantsApart(tenants: readonly ProxiedTenant[]): void {
  for (const { name, canary, received, level, levels, updated, subscribed } of tenants) {
    const all = received.join('\n');
    for (const other of tenants) {
      const at = other.canary === canary ? -1 : all.indexOf(other.canary);
      expect(at === -1 ? '' : all.slice(at - 500, at + 500), `${name} has seen something of ${other.name}`).toBe('');
    }
    expect(levels.filter((each) => LEVELS.indexOf(each as Level) < LEVELS.indexOf(level))).toEqual([]);
    expect(updated.filter((uri) => !subscribed.has(uri))).toEqual([]);
  }
}

async function live(acts: readonly Act[], seen: (tenants: readonly ProxiedTenant[]) => void): Promise<void> {
  const tenants = LEVELS.map((level, index) => new ProxiedTenant(`tenant ${index}`, level, endpoint));
  try {
    await Promise.all(tenants.map((tenant) => tenant.open(GENERATIONS)));
    await performAll(tenants, acts);
    const isUpdated = ({ subscribed, updated }: ProxiedTenant): boolean => [...subscribed].every((uri) => updated.includes(uri));
    await waitUntil(() => tenants.every(isUpdated), { description: 'each has heard of its resources' });
    requireTenantsApart(tenants);
    requireServersApart(tenants);
    seen(tenants);
  } finally {
    await Promise.all(tenants.map((tenant) => tenant.close()));
  }
}

it(
  'keeps three tenants apart, also when they do everything at the same time',
  async () => {
    await live(EACH, (tenants) => {
      // What would have been noticed.
      const lines = ledger();
      for (const { sessions, name } of SERVERS) {
        const own = JSON.stringify(lines.filter(({ server }) => server === name));
        expect(canariesIn(tenants, own)).toHaveLength(tenants.length);
        expect(own.includes('"action":"accept"')).toBe(sessions !== 'shared');
        expect(own.includes('file:///canary')).toBe(sessions !== 'shared');
        expect(own).toContain('notifications/cancelled');
      }
      for (const { canary, received, levels, updated } of tenants) {
        const all = received.join('\n');
        expect(all.split(canary).length).toBeGreaterThan(EACH.length / tenants.length);
        expect([all.includes('question: '), all.includes('progress of '), levels.length > 0, updated.length > 0]).toEqual([
          true,
          true,
          true,
          true,
        ]);
      }
    });
    const property = fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: STEPS, size: 'max' }), (acts) =>
      live(acts, () => undefined),
    );
    await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS / 2 });
  },
  LIMIT_MS,
);
