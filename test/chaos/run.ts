/** What all kinds of runs have in common: the processes, the clients, the verdict, the report, and what every run must show. */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TestStore } from '../support/stores/test-store.js';
import { waitUntil } from '../support/wait-until.js';
import type { Blow } from './attack.js';
import { Cluster, type ClusterOptions } from './cluster.js';
import { drive, type Driven } from './driver.js';
import type { LedgerLine } from './features.js';
import { openWork, readLedger, readTasks, type StoredTask, sweepAll } from './inspect.js';
import type { PlannedTask, Scale } from './plan.js';
import { Random } from './random.js';
import { describeRun, type Line, type Recoveries, recoveriesOf } from './report.js';
import { judge, type Verdict } from './verdict.js';

/** What makes a kind of run. */
export interface Kind {
  readonly name: string;
  readonly scale: Scale;
  readonly cluster?: ClusterOptions;
  /** How long clients wait for one answer. */
  readonly patienceMs?: number;
  plan(random: Random, scale: Scale): readonly PlannedTask[];
  /** Hits until the time is over or `signal` aborts; resolves when all is up again. */
  attack(cluster: Cluster, random: Random, seconds: number, signal: AbortSignal): Promise<readonly Blow[]>;
  /** Whether a key without a time to live is meant to stay. @defaultValue none is */
  mayStay?(key: string): boolean;
  /** What else the report says. */
  more?(run: ChaosRun): readonly Line[];
}

/** A run that is over. */
export interface ChaosRun {
  readonly cluster: Cluster;
  readonly blows: readonly Blow[];
  readonly driven: Driven;
  readonly stored: ReadonlyMap<string, StoredTask>;
  readonly ledger: readonly LedgerLine[];
  readonly verdict: Verdict;
  readonly recoveries: Recoveries;
}

const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(1, 2 ** 31));

/** Runs a kind, and tests what every run must show. @param more adds the tests of the kind, given what returns the run */
export function describeChaos(kind: Kind, more: (run: () => ChaosRun) => void = () => undefined): void {
  const { scale } = kind;
  const name = `${kind.name} on ${inject('store')}`;
  describe(`${name}, seed ${seed}`, () => {
    let cluster: Cluster | undefined;
    let finished: ChaosRun | undefined;
    const run = (): ChaosRun => {
      if (finished === undefined) throw new Error('The run is not over.');
      return finished;
    };
    beforeAll(
      async () => {
        process.stdout.write(`${name} with seed ${seed}\n`);
        cluster = await Cluster.start(kind.cluster);
        finished = await carryOut({ ...kind, name }, cluster);
      },
      (scale.limitSeconds + 60) * 1_000,
    );
    afterAll(async () => {
      const keepFolder = finished === undefined || isBad(finished.verdict); // The logs are wanted then.
      await cluster?.close({ keepFolder });
      if (keepFolder) process.stdout.write(`The logs of the failed run are in ${cluster?.folder.path}\n`);
    });
    testsOfAll(run, kind);
    more(run);
  });
}

async function carryOut(kind: Kind, cluster: Cluster): Promise<ChaosRun> {
  const { name, scale, patienceMs } = kind;
  const startedAt = performance.now();
  // The hard stop: what is late has failed, and everything that was started is ended.
  const signal = AbortSignal.timeout(scale.limitSeconds * 1_000);
  const client = { urls: cluster.urls, random: new Random(seed + 2), signal, ...(patienceMs !== undefined && { patienceMs }) };
  const [driven, blows] = await Promise.all([
    drive(kind.plan(new Random(seed), scale), client).catch(async (cause: unknown) => {
      throw new Error(`Not all tasks have ended. Left to do: ${(await openWork(cluster.store)).join(', ')}`, { cause });
    }),
    kind.attack(cluster, new Random(seed + 1), scale.seconds, signal),
  ]);
  await rest(cluster.store);
  const stored = await readTasks(cluster.store);
  const ledger = await readLedger(cluster.ledger);
  const verdict = judge({ driven: driven.tasks, stored, ledger, blows });
  const recoveries = recoveriesOf(stored.values(), blows);
  const run: ChaosRun = { cluster, blows, driven, stored, ledger, verdict, recoveries };
  const totalSeconds = (performance.now() - startedAt) / 1_000;
  const report = { name, seed, attackSeconds: scale.seconds, totalSeconds, ...run, more: kind.more?.(run) ?? [] };
  process.stdout.write(describeRun(report));
  return run;
}

function isBad(verdict: Verdict): boolean {
  return Object.values(verdict).some((found: readonly string[]) => found.length > 0);
}

/** Waits until nothing is left to do. @throws Error that says what is */
async function rest(store: TestStore): Promise<void> {
  let left: readonly string[] = [];
  const isAtRest = async (): Promise<boolean> => {
    left = await openWork(store);
    return left.length === 0;
  };
  await waitUntil(isAtRest, { timeoutMs: 20_000, description: 'nothing is left to do' }).catch((cause: unknown) => {
    throw new Error(`Something is left to do: ${left.join(', ')}`, { cause });
  });
}

function testsOfAll(run: () => ChaosRun, { mayStay = () => false }: Kind): void {
  it('leaves all tasks in the state in which they must be, with the right results', () => {
    expect(run().verdict.lost).toEqual([]);
  });

  it('blames no innocent', () => {
    expect(run().verdict.blamed).toEqual([]);
  });

  it('makes tasks once that are created with an idempotency key', () => {
    expect(run().verdict.doubled).toEqual([]);
  });

  it('starts each called task once, and leaves none behind', () => {
    expect(run().verdict.orphaned).toEqual([]);
  });

  it('repeats no step after its record', () => {
    expect(run().verdict.repeated).toEqual([]);
  });

  it('leaves legal streams, and views that are the folds of them', () => {
    expect(run().verdict.illegal).toEqual([]);
    expect(run().verdict.disagreeing).toEqual([]);
  });

  it('leaves no entry in the agenda that a sweep would not remove', async () => {
    expect(await sweepAll(run().cluster.store)).toEqual([]);
  });

  it('leaves nothing that would stay for ever', async () => {
    const left = await run().cluster.store.leftForEver(true);
    expect(left.filter((key) => !mayStay(key))).toEqual([]);
  });

  it('ends no process that should go on', () => {
    expect(run().cluster.crashes).toEqual([]);
  });
}
