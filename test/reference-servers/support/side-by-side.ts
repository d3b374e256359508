/**
 * A reference server and our package of the same tools, asked the same over standard input and output, in both versions of the
 * protocol. What differs is in the list of meant differences, or wrong.
 */
import { describe, expect, it } from 'vitest';
import { ENTRY, Workplace } from '../../cli/support/launcher.js';
import type { AskedClient, Pair } from '../../everything/support/asked-client.js';
import { compare } from '../../everything/support/compare.js';
import type { Probe } from '../../everything/support/probe.js';
import type { Generation } from '../../support/ext-tasks.js';
import { forAllTests } from '../../support/for-all-tests.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';
import { SideClient } from './side-client.js';

export interface MeantDifference {
  readonly differs: string;
  readonly reason: string;
  readonly matches: RegExp;
}

/** What a server needs, on one of the two sides. */
export interface Setting {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What probes call `<place>`. */
  readonly place?: string;
  end?(): unknown;
}

/** A probe of one server or the other, in one version or the other. */
export type SideProbe = Probe<SideClient> | Probe<AskedClient>;

export interface Reference {
  /** Of the reference server. */
  readonly title: string;
  /** The versions that it speaks. It is asked in its first one where ours is asked in another one. */
  readonly generations: readonly [Generation, ...Generation[]];
  /** Starts it. */
  command(): Promise<readonly [string, ...string[]]>;
}

export interface SideBySide {
  readonly reference: Reference;
  /** The name of our package. */
  readonly features: string;
  /** Made for each version, on a folder of its own. */
  readonly settings?: (side: 'theirs' | 'ours', folder: string) => Setting | Promise<Setting>;
  readonly probes: readonly SideProbe[];
  readonly meantDifferences: readonly MeantDifference[];
}

const GENERATIONS = ['2025-11-25', '2026-07-28'] as const;

/** A reference server that is written in Python has to be installed first. */
const START_MS = 300_000;

export function describeSideBySide(how: SideBySide): void {
  const { reference, probes, meantDifferences } = how;
  /** Every difference that was found, on a line of its own. */
  const found: string[] = [];
  const isMeant = (line: string): boolean => meantDifferences.some(({ matches }) => matches.test(line));

  describe(`side by side with the reference server ${reference.title}`, () => {
    describe.each(GENERATIONS)('in revision %s', (generation) => {
      const sides = forAllTests(
        () => connect(how, generation),
        ({ close }) => close(),
        START_MS,
      );

      it.each(probes)('$name', async (probe) => {
        const lines = await compare(sides.pair, probe, isMeant);
        found.push(...lines);
        expect(lines.filter((line) => !isMeant(line))).toEqual([]);
      });

      it('every tool of the reference server was called', async () => {
        const { tools } = (await sides.pair.reference.request('tools/list')) as { tools: { name: string }[] };
        expect(tools.map(({ name }) => name).filter((name) => !sides.pair.reference.called.has(name))).toEqual([]);
      });
    });

    it.each(meantDifferences)('differs as it is meant to: $differs', ({ matches }) => {
      expect(found.some((line) => matches.test(line))).toBe(true);
    });
  });
}

interface Sides {
  readonly pair: Pair<SideClient>;
  close(): Promise<void>;
}

async function connect({ reference, features, settings = () => ({}) }: SideBySide, generation: Generation): Promise<Sides> {
  const places = { theirs: new Workplace(), ours: new Workplace() };
  const theirs = await settings('theirs', places.theirs.folder);
  const ours = await settings('ours', places.ours.folder);
  const start = (
    { folder }: Workplace,
    command: readonly [string, ...string[]],
    { args = [], env = {}, place = '' }: Setting,
    as: Generation,
  ) =>
    SideClient.connect(
      { command: [...command, ...args], cwd: folder, place, env: { ...INHERITED_ENV, HOME: folder, TMPDIR: folder, ...env } },
      as,
    );
  const [spoken] = reference.generations;
  const [referenceClient, ourClient] = await Promise.all([
    start(places.theirs, await reference.command(), theirs, reference.generations.includes(generation) ? generation : spoken),
    start(places.ours, [process.execPath, ENTRY, 'stdio'], { ...ours, env: { LONGHAUL_FEATURES: features, ...ours.env } }, generation),
  ]);
  places.theirs.family(referenceClient);
  places.ours.family(ourClient);
  return {
    pair: { reference: referenceClient, ours: ourClient },
    async close() {
      await Promise.all([referenceClient.close(), ourClient.close()]);
      await Promise.all([theirs.end?.(), ours.end?.(), places.theirs.close(), places.ours.close()]);
    },
  };
}
