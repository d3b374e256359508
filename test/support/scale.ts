/** The size of a test: `npm test` runs the short form of all, `npm run test:long` the long form of those that have one. */
const isLong = process.env['LONGHAUL_TEST_LONG'] === '1';

/** What this run is to use. */
export function scaled<T>(short: T, long: T): T {
  return isLong ? long : short;
}
