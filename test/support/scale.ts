/** Chooses the size of a test: `npm test` runs the short form of all tests, `npm run test:long` the long form of tests that have one. */
const isLong = process.env['LONGHAUL_TEST_LONG'] === '1';

/** The size of this run. */
export function scaled<T>(short: T, long: T): T {
  return isLong ? long : short;
}
