/** Differences that are meant of more than one server. */
import type { MeantDifference } from './side-by-side.js';

const WRONG_ARGUMENTS: MeantDifference = {
  differs: 'of wrong arguments, the text names each wrong field in words of its own',
  reason: 'All tools of this server say it so.',
  matches: /^\w+ (\{.*\}|without arguments), wrong › result\.content\.0\.text: /,
};

/** Those written in TypeScript. */
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
    differs: 'in revision 2026-07-28, lists and resources say how long and for whom they may be kept',
    reason: 'That revision asks for it; the reference server speaks only the older one.',
    matches: /^(tools|resources)\/(list|read).* › result\.(ttlMs|cacheScope): nothing ≠/,
  },
  WRONG_ARGUMENTS,
];

/** Those written in Python. */
export const OF_PYTHON: readonly MeantDifference[] = [
  {
    differs: '`isError` is left out of results that are none',
    reason: 'It means the same.',
    matches: / › result\.isError: false ≠ nothing$/,
  },
  {
    differs: 'schemas say their dialect',
    reason: 'It is what this revision of the protocol takes for granted.',
    matches: /^tools\/list › .*\.\$schema: nothing ≠ "\S*2020-12\S*"$/,
  },
  {
    differs: 'in revision 2026-07-28, lists may be kept for a minute',
    reason: 'They change only with the server, which notifies its clients then.',
    matches: /^(tools|prompts)\/list › result\.ttlMs: 0 ≠ 60000$/,
  },
  WRONG_ARGUMENTS,
];

/** Those that run on workers. */
export const AS_TASKS: MeantDifference = {
  differs: 'tools say `taskSupport: optional`, and clients of revision 2026-07-28 that know no tasks have tools for them',
  reason: 'They run on workers, and may be followed and cancelled.',
  matches: /^tools\/list › result\.tools\.(\w+\.execution: nothing ≠ \{"taskSupport":"optional"\}$|task_\w+: nothing ≠)/,
};
