// Lists the tests that take too long for `npm test`.
import { globSync } from 'node:fs';

import { root } from './root.mjs';

/**
 * They run only in the long form. Some show the same as several shorter tests. Others measure, install, or start other projects' servers;
 * some of these need Python.
 */
export const ONLY_LONG = globSync('test/**/long', { cwd: root });

/** All that have a long form: see test/support/scale.ts. */
export const LONG = [
  ...ONLY_LONG,
  'libs/tasks/src/replay/long-tasks.unit.test.ts',
  'test/access/in-process/isolation.test.ts',
  'test/faults/in-process/sweep.test.ts',
  'test/faults/processes/outage',
  'test/faults/processes/poison',
  'test/limits/processes/heavy-bodies.test.ts',
  'test/operator/browser/exercise.test.ts',
  'test/operator/processes/exercise.test.ts',
  'test/reference-servers/processes/git.test.ts',
  'test/requests/fuzz',
  'test/stores/processes/redis-password.test.ts',
  'test/streams/in-process/listening-ends.test.ts',
  'test/tasks/processes/forks',
  'test/tasks/replay/forks.test.ts',
];
