/** Compares the reference server Sequential Thinking with ours, with the same calls. */
import { call, request } from '../../everything/support/probe.js';
import { OF_ALL } from '../support/meant-for-all.js';
import { ofNode } from '../support/references.js';
import { describeSideBySide, type MeantDifference, type SideProbe } from '../support/side-by-side.js';

const MEANT_DIFFERENCES: readonly MeantDifference[] = [
  ...OF_ALL,
  {
    differs: 'it is neither read-only nor idempotent',
    reason: 'It counts the thoughts, so that the same call twice has another result.',
    matches: /^tools\/list › result\.tools\.sequentialthinking\.annotations\.(readOnlyHint|idempotentHint): true ≠ false$/,
  },
  {
    differs: 'the argument `thread` keeps lines of thought apart',
    reason: 'Newer clients have no session that their thoughts could belong to.',
    matches: /^tools\/list › result\.tools\.sequentialthinking\.inputSchema\.properties\.thread: nothing ≠/,
  },
  {
    differs: 'the id of a branch has at most 200 characters',
    reason: 'It is kept.',
    matches: /^tools\/list › result\.tools\.sequentialthinking\.inputSchema\.properties\.branchId\.maxLength: nothing ≠ 200$/,
  },
  {
    differs: 'thoughts are logged to the client, not on standard error',
    reason: 'The process may be another machine.',
    matches: /^sequentialthinking .* › notified\.notifications\/message/,
  },
];

const THOUGHT = { thought: 'Hm.', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 3 };
let thoughts = 0;
const think = (args: object, as = ''): SideProbe => {
  thoughts += 1;
  return call('sequentialthinking', { ...THOUGHT, ...args }, {}, as === '' ? `thought ${thoughts}` : as);
};

const PROBES: readonly SideProbe[] = [
  request('tools/list'),
  think({}),
  think({ thoughtNumber: 5 }),
  think({ thoughtNumber: '2', totalThoughts: '4', nextThoughtNeeded: 'FALSE' }),
  think({ isRevision: 'true', revisesThought: '1' }),
  think({ branchFromThought: 1 }),
  think({ branchId: 'without origin' }),
  think({ branchFromThought: 1, branchId: 'a' }),
  think({ branchFromThought: 2, branchId: 'b' }),
  think({ branchFromThought: 2, branchId: 'a', needsMoreThoughts: true }),
  think({ branchFromThought: 2, branchId: '' }),
  think({ nextThoughtNeeded: false }),
  ...[{ thoughtNumber: 0 }, { totalThoughts: 1.5 }, { nextThoughtNeeded: 'perhaps' }, { thought: undefined }, { thought: 1 }].map((args) =>
    think(args, 'wrong'),
  ),
  think({}),
];

describeSideBySide({
  reference: ofNode('Sequential Thinking', import.meta.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js')),
  features: '@longhaul/reference-servers/sequential-thinking',
  probes: PROBES,
  meantDifferences: MEANT_DIFFERENCES,
});
