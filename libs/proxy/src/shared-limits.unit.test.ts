/** Tests that limits of calls hold over all gateways of a deployment, here by several of their limits on one store. */
import { randomUUID } from 'node:crypto';
import type { ProcessParts } from '@longhaul/mcp-features';
import { parseServers, type ServerConfig } from '@longhaul/servers';
import { openMemoryStore } from '@longhaul/store-sqlite';
import { TaskError } from '@longhaul/tasks';
import { waitUntil } from '@longhaul/tasks/testing';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CallLimits, ServerBusy } from './call-limits.js';

type Store = ReturnType<typeof openMemoryStore>;

const LEASE_MS = 500;
const RUNS = 12;
const never = new AbortController().signal;

let store: Store;
const gateways: Gateway[] = [];
beforeEach(() => {
  store = openMemoryStore();
});
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
  await store.close();
});

function server(more: object, name = 'busy'): ServerConfig {
  const [config] = parseServers(JSON.stringify({ mcpServers: { [name]: { command: 'x', ...more } } }), { from: 'x', env: {} }).servers;
  if (config === undefined) throw new Error('There is no server.');
  return config;
}

/** A gateway: it can die, and then it says nothing any more, and it can be cut off from the store. */
class Gateway {
  state: 'alive' | 'dead' | 'cut off' = 'alive';
  readonly warnings: string[] = [];
  /** Ends the calls that run. */
  readonly running: (() => void)[] = [];
  readonly limits: CallLimits;

  constructor(
    readonly name: string,
    leaseMs: number,
  ) {
    this.limits = new CallLimits(leaseMs);
  }

  async join(): Promise<void> {
    const allotments: Store['allotments'] = {
      take: (request) => {
        if (this.state === 'dead') return new Promise(() => undefined);
        if (this.state === 'cut off') return Promise.reject(new TaskError('STORE_UNAVAILABLE'));
        return store.allotments.take(request);
      },
    };
    const parts = {
      process: { id: this.name, role: 'gateway' },
      store: { ...store, allotments },
      warn: (line: string) => this.warnings.push(line),
    };
    await this.limits.join(parts as ProcessParts);
  }

  call(config: ServerConfig): Promise<void> {
    return this.limits.during({ config, tool: 'work' }, never, () => new Promise<void>((resolve) => this.running.push(resolve)));
  }

  end(): void {
    this.running.shift()?.();
  }

  async close(): Promise<void> {
    this.state = 'cut off';
    while (this.running.length > 0) this.end();
    await this.limits.close();
  }
}

async function gateway(name: string, leaseMs = 60_000): Promise<Gateway> {
  const made = new Gateway(name, leaseMs);
  await made.join();
  gateways.push(made);
  return made;
}

const runningAt = (all: readonly Gateway[]): number => all.reduce((sum, { running }) => sum + running.length, 0);

it('lets as many calls run as may at all gateways together, in any order, until each has run', async () => {
  const all = await Promise.all(['a', 'b', 'c'].map((name) => gateway(name)));
  const plan = fc.record({
    maxRunning: fc.integer({ min: 1, max: 4 }),
    calls: fc.array(fc.nat(2), { minLength: 4, maxLength: 16 }),
    ends: fc.infiniteStream(fc.nat(2)),
  });
  const property = fc.asyncProperty(plan, async ({ maxRunning, calls, ends }) => {
    const config = server({ maxRunning }, randomUUID());
    const ended: number[] = [];
    const made = calls.map(async (at) => {
      await all[at]?.call(config);
      ended.push(at);
    });
    while (ended.length < calls.length) {
      await waitUntil(() => runningAt(all) > 0 || ended.length === calls.length, { description: 'a call runs' });
      expect(runningAt(all)).toBeLessThanOrEqual(maxRunning);
      all[ends.next().value ?? 0]?.end();
      if (runningAt(all) >= maxRunning) all.find(({ running }) => running.length > 0)?.end();
    }
    await Promise.all(made);
  });
  await fc.assert(property, { numRuns: RUNS });
});

it('gives the places of a gateway that has died to the others', async () => {
  const [first, second] = [await gateway('first', LEASE_MS), await gateway('second')];
  const config = server({ maxRunning: 2 });
  const lost = [first.call(config), first.call(config)];
  await waitUntil(() => first.running.length === 2, { description: 'both run' });
  first.state = 'dead';
  const calls = [second.call(config), second.call(config)];
  await waitUntil(() => second.running.length === 2, { description: 'those of the other gateway run' });
  for (const each of [first, second]) while (each.running.length > 0) each.end();
  await Promise.all([...lost, ...calls]);
});

it('refuses a call while all places are used, at whichever gateway, and makes it when one is free', async () => {
  const [first, second] = [await gateway('first'), await gateway('second')];
  const config = server({ maxRunning: 1, whenBusy: 'refuse' });
  const held = first.call(config);
  await waitUntil(() => first.running.length === 1, { description: 'it runs' });
  await expect(second.call(config)).rejects.toThrow(ServerBusy);
  first.end();
  await held;
  let calls: Promise<unknown> = Promise.resolve();
  const isMade = async (): Promise<boolean> => {
    calls = second.call(config).catch(() => undefined);
    return Promise.race([
      calls.then(() => false),
      waitUntil(() => second.running.length === 1, { description: 'it runs' }).then(() => true),
    ]);
  };
  await waitUntil(isMade, { description: 'the other gateway has given the place back' });
  second.end();
  await calls;
});

it('keeps no place that nobody uses', async () => {
  const first = await gateway('first');
  const config = server({ maxRunning: 3 });
  const calls = [1, 2, 3].map(() => first.call(config));
  await waitUntil(() => first.running.length === 3, { description: 'all run' });
  while (first.running.length > 0) first.end();
  await Promise.all(calls);
  const wish = { name: 'proxied-calls:["busy"]', process: 'other', limit: 3, used: 0, wanted: 3, leaseMs: 60_000 };
  const hasAll = async (): Promise<boolean> => (await store.allotments.take(wish)).places === 3;
  await waitUntil(hasAll, { description: 'all places are free' });
});

it('counts for itself while the store is away, and says so once', async () => {
  const first = await gateway('first');
  first.state = 'cut off';
  const config = server({ maxRunning: 2 });
  const calls = [1, 2, 3].map(() => first.call(config));
  await waitUntil(() => first.running.length === 2, { description: 'as many run as may' });
  first.end();
  await waitUntil(() => first.running.length === 2, { description: 'the next one runs' });
  while (first.running.length > 0) first.end();
  await Promise.all(calls);
  expect(first.warnings).toEqual([expect.stringMatching(/^Limits of calls hold in each process for itself: /)]);
});
