/** The worker of raw BullMQ: a processor that does nothing. */
import { Worker } from 'bullmq';

const worker = new Worker('raw', async () => undefined, {
  connection: { url: process.env['REDIS_URL'] ?? '', maxRetriesPerRequest: null },
  concurrency: 50,
  removeOnComplete: { count: 0 },
});
await worker.waitUntilReady();
process.send?.({ type: 'ready' });
process.on('SIGTERM', () => void worker.close().then(() => process.exit(0)));
