// Adds so many jobs to the data file that is named, as fast as it can.
import { openSqliteStore } from '@longhaul/store-sqlite';

const [path, name, count] = process.argv.slice(2);
const store = await openSqliteStore({ path, onError: (error) => process.stderr.write(`${String(error)}\n`) });
for (let pass = 1; pass <= Number(count); pass++) await store.queue.add({ taskId: name, pass }, 0);
await store.close();
