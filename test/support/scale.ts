/** Chooses the size of a test: `npm test` runs the short form of all tests, `npm run test:long` the long form of tests that have one. */
const isLong = process.env['LONGHAUL_TEST_LONG'] === '1';

/** What this run is to use. */
export function scaled<T>(short: T, long: T): T {
  return isLong ? long : short;
}
