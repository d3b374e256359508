// `npm test`: builds, finds or starts a Redis, runs all tests, and prints in the last line how many passed and failed. `npm test --
// --redis-tls` runs them on a Redis with TLS, certificates of its clients, and the user of docs/redis.md. `npm run test:long` runs the
// long form of the tests that have one, one file after the other, because they measure.
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { installDebianPackage, isOnPath } from './debian-package.mjs';
import { LONG } from './long-tests.mjs';
import { failedFor, reportCounts } from './report-counts.mjs';
import { runVitest } from './run-vitest.mjs';
import { provideRedis } from './test-redis.mjs';
import { build } from './tools.mjs';

requireNode();
const given = process.argv.slice(2);
const isLong = given[0] === '--long';
const isSecure = given[0] === '--redis-tls';
/** Tests of pages run in it. Where it is missing and cannot be installed, they say so and fail. */
const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'];

const args = isLong ? ['--no-file-parallelism', ...(given.length > 1 ? given.slice(1) : LONG)] : given.slice(isSecure ? 1 : 0);

await reportCounts(async () => {
  // No test runner of ours reads decorators, so their classes are compiled; so is what finds a port for the Redis of the tests.
  if (!(await build({ typed: ['bench', 'examples', 'test/fixtures/decorated'] }))) return failedFor('it does not compile');
  const runsPages = args.every((arg) => arg === '--slowest') || args.some((filter) => filter.includes('browser'));
  if (runsPages && !CHROMIUM.some(isOnPath)) await installDebianPackage('chromium');
  const redis = await provideRedis(isSecure);
  process.stdout.write(`Redis for the tests: ${redis.label}\n`);
  try {
    return await runVitest(args, {
      LONGHAUL_TEST_REDIS_URL: redis.url,
      ...(redis.adminUrl !== undefined && { LONGHAUL_TEST_REDIS_ADMIN_URL: redis.adminUrl }),
      ...(isLong && { LONGHAUL_TEST_LONG: '1' }),
    });
  } finally {
    await redis.stop();
  }
});
