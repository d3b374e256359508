/**
 * Tests calls of other servers while gateways, workers and those servers are killed at any moment: none is lost silently, none is made twice
 * that must not be, and each has an end that says what is known. It is short in `npm test`, long in `npm run chaos -- proxy`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@longhaul/bench/free-port';
import { afterAll, expect, it } from 'vitest';
import { scaled } from '../support/scale.js';
import { TestFolder } from '../support/test-folder.js';
import { attack, type Blow } from './attack.js';
import type { Cluster } from './cluster.js';
import { ENDS } from './features.js';
import { type PlannedTask, plainTask, type Scale } from './plan.js';
import type { Random } from './random.js';
import { type ChaosRun, describeChaos } from './run.js';
import type { UpstreamLine } from './upstream.js';

const PROGRAM = fileURLToPath(new URL('./upstream.ts', import.meta.url));
const scale: Scale = scaled({ tasks: 60, seconds: 6, limitSeconds: 90 }, { tasks: 600, seconds: 600, limitSeconds: 1_200 });
const PAUSE_MS = { least: 800, most: 2_500 };
const AWAY_MS = { least: 0, most: 1_000 };
/** The end of a call that may have been carried out, and is not repeated. */
const UNKNOWN = /^MAY_HAVE_HAPPENED: .*It is unknown whether/s;
/** The end of a call that was not made: the server was away for two minutes. */
const NOT_MADE = /^The server "up" did not start: /;

const folder = new TestFolder();
const ledger = join(folder.path, 'ledger.jsonl');
const port = await freePort();
/** On a busy machine a call takes long, so that more than two servers may die under it. */
const UPSTREAM = { url: `http://127.0.0.1:${port}/mcp`, tools: { read: { retries: 10 } } };
let upstream: ChildProcess | undefined;

async function startUpstream(): Promise<void> {
  upstream = fork(PROGRAM, [String(port), ledger], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(upstream, 'message');
}

async function killUpstream(): Promise<number> {
  const killed = upstream;
  if (killed === undefined) return 0;
  const exited = once(killed, 'exit');
  killed.kill('SIGKILL');
  await exited;
  return killed.pid ?? 0;
}

await startUpstream();
afterAll(async () => {
  await killUpstream();
  folder.remove();
});

/** Two of five calls read, two write, and the fifth task is one of ours, which the server does not matter to. */
function plan(random: Random, { tasks, seconds }: Scale): readonly PlannedTask[] {
  return Array.from({ length: tasks }, (_, n) => {
    const at = (n / tasks) * seconds * 900;
    const args = { n, ms: random.between(20, 400) };
    if (n % 5 === 4) return plainTask('steps', { n, ms: 50 }, { at, ends: ENDS['steps']?.(n) ?? [] });
    return n % 2 === 0
      ? plainTask('up__read', args, { at, ends: [`${n}: read`, NOT_MADE] })
      : plainTask('up__write', args, { at, ends: [`${n}: write`, UNKNOWN, NOT_MADE] });
  });
}

async function killServers(random: Random, seconds: number, signal: AbortSignal): Promise<readonly Blow[]> {
  const blows: Blow[] = [];
  for (const end = Date.now() + seconds * 1_000; !signal.aborted && Date.now() < end;) {
    await wait(random.between(PAUSE_MS.least, PAUSE_MS.most));
    const at = Date.now();
    const pid = await killUpstream();
    await wait(random.between(AWAY_MS.least, AWAY_MS.most));
    await startUpstream();
    blows.push({ kind: 'server kill', at, until: Date.now(), pid });
  }
  return blows;
}

async function attackAll(cluster: Cluster, random: Random, seconds: number, signal: AbortSignal): Promise<readonly Blow[]> {
  const [own, servers] = await Promise.all([attack(cluster, random, seconds, signal), killServers(random, seconds, signal)]);
  return [...own, ...servers];
}

/** How often each call was begun and ended at the server, by tool and number. */
function callsOf(): ReadonlyMap<string, { readonly starts: number; readonly ends: number }> {
  const lines = readFileSync(ledger, 'utf8').trim().split('\n');
  const byCall = Map.groupBy(
    lines.map((line) => JSON.parse(line) as UpstreamLine),
    ({ tool, n }) => `${tool} ${n}`,
  );
  const count = (all: readonly UpstreamLine[], phase: UpstreamLine['phase']): number => all.filter((line) => line.phase === phase).length;
  return new Map([...byCall].map(([call, all]) => [call, { starts: count(all, 'start'), ends: count(all, 'end') }] as const));
}

const endsOf = ({ driven }: ChaosRun, kind: string) => driven.tasks.filter(({ plan: planned }) => planned.kind === kind);
const isUnknown = ({ end }: { readonly end: string }): boolean => UNKNOWN.test(end);
const isMade = ({ end }: { readonly end: string }): boolean => !NOT_MADE.test(end);

describeChaos(
  {
    name: 'Proxy',
    scale,
    cluster: {
      features: ['@longhaul/proxy/feature'],
      env: { LONGHAUL_SERVERS: JSON.stringify({ mcpServers: { up: UPSTREAM } }) },
    },
    plan,
    attack: attackAll,
    // What servers offer is kept for the next start.
    mayStay: (key) => /:records:(offered|slow):?|\}:collections$/.test(key),
    more: (run) => {
      const calls = [...callsOf().values()];
      const unknown = endsOf(run, 'up__write').filter(isUnknown).length;
      return [
        ['servers', `${run.blows.filter(({ kind }) => kind === 'server kill').length} killed`],
        ['calls', `${calls.reduce((sum, { starts }) => sum + starts, 0)} begun; ${unknown} writes ended as MAY_HAVE_HAPPENED`],
      ];
    },
  },
  (run) => {
    it('makes no call twice that writes, and has made each one whose result it gives', () => {
      const calls = callsOf();
      const writes = endsOf(run(), 'up__write');
      expect(writes.filter(({ plan: { args } }) => (calls.get(`write ${args.n}`)?.starts ?? 0) > 1)).toEqual([]);
      const known = writes.filter((task) => isMade(task) && !isUnknown(task));
      expect(known.filter(({ plan: { args } }) => calls.get(`write ${args.n}`)?.ends !== 1)).toEqual([]);
      const notMade = writes.filter((task) => !isMade(task));
      expect(notMade.filter(({ plan: { args } }) => calls.has(`write ${args.n}`))).toEqual([]);
    });

    it('makes calls again that only read, until they have a result', () => {
      const reads = endsOf(run(), 'up__read').filter(isMade);
      expect(reads.length).toBeGreaterThan(scale.tasks / 4);
      const calls = callsOf();
      expect(reads.filter(({ plan: { args } }) => (calls.get(`read ${args.n}`)?.ends ?? 0) < 1)).toEqual([]);
    });

    it('kills servers', () => {
      expect(run().blows.some(({ kind }) => kind === 'server kill')).toBe(true);
    });
  },
);
