// Takes one job of the data file that is named, says so, and holds it for ever.
import { openSqliteStore } from '@longhaul/store-sqlite';

const [path] = process.argv.slice(2);
const lockTimes = { lockDurationMs: 60_000, stalledIntervalMs: 100 };
const store = await openSqliteStore({ path, lockTimes, onError: (error) => process.stderr.write(`${String(error)}\n`) });
const held = new Promise(() => undefined);
const consumer = await store.consume(
  ({ job }) => {
    process.stdout.write(`${JSON.stringify({ lockToken: consumer.lockToken, job })}\n`);
    return held;
  },
  { concurrency: 1 },
);
