/** A reference server and our package of the same tools, asked the same. What differs is in the list of meant differences, or wrong. */
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare } from '../../everything/support/compare.js';
import { FullClient } from '../../everything/support/full-client.js';
import type { Probe } from '../../everything/support/probe.js';
import type { Pair } from '../../everything/support/servers.js';
import { Deployment } from '../../support/deployment.js';

export interface MeantDifference {
  readonly differs: string;
  readonly reason: string;
  readonly matches: RegExp;
}

export interface SideBySide {
  /** Of the reference server. */
  readonly title: string;
  /** The URL of its program. */
  readonly reference: string;
  /** The name of our package. */
  readonly features: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly probes: readonly Probe[];
  readonly meantDifferences: readonly MeantDifference[];
}

/** Meant for all of them. */
export const OF_ALL: readonly MeantDifference[] = [
  {
    differs: 'schemas are of JSON Schema 2020-12, not of draft 7',
    reason: 'It is what this revision of the protocol takes for granted.',
    matches: /^tools\/list › .*\.\$schema: "\S*draft-07\S*" ≠ "\S*2020-12\S*"$/,
  },
  {
    differs: '`execution` is left out of tools that cannot be called as a task',
    reason: 'It means the same.',
    matches: /^tools\/list › .*\.execution: \{"taskSupport":"forbidden"\} ≠ nothing$/,
  },
  {
    differs: 'of wrong arguments, the text names each wrong field in words of its own',
    reason: 'All tools of this server say it so.',
    matches: /^\w+ (\{.*\}|without arguments), wrong › result\.content\.0\.text: /,
  },
];

export function describeSideBySide({ title, reference, features, env = {}, probes, meantDifferences }: SideBySide): void {
  /** Every difference that was found, on a line of its own. */
  const found: string[] = [];
  const isMeant = (line: string): boolean => meantDifferences.some(({ matches }) => matches.test(line));
  const deployment = Deployment.create({ LONGHAUL_FEATURES: features });
  let pair: Pair;

  beforeAll(async () => {
    const { url } = await deployment.gateway();
    const args = [fileURLToPath(reference)];
    const stdio = { command: process.execPath, args, env: { PATH: process.env['PATH'] ?? '', ...env }, stderr: 'ignore' as const };
    const [theirs, ours] = await Promise.all([
      FullClient.connect(new StdioClientTransport(stdio)),
      FullClient.connect(new StreamableHTTPClientTransport(new URL(url))),
    ]);
    pair = { reference: theirs, ours };
  });
  afterAll(async () => {
    await Promise.all([pair.reference.close(), pair.ours.close()]);
    await deployment.close();
  });

  describe(`side by side with the reference server ${title}`, () => {
    it.each(probes)('$name', async (probe) => {
      const lines = await compare(pair, probe, isMeant);
      found.push(...lines);
      expect(lines.filter((line) => !isMeant(line))).toEqual([]);
    });

    it.each(meantDifferences)('differs as it is meant to: $differs', ({ matches }) => {
      expect(found.some((line) => matches.test(line))).toBe(true);
    });

    it('every tool of the reference server was called', async () => {
      const { tools: listed } = (await pair.reference.request('tools/list')) as { tools: { name: string }[] };
      expect(listed.map(({ name }) => name).filter((name) => !pair.reference.called.has(name))).toEqual([]);
    });
  });
}
