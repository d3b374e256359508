/** Raw BullMQ, the producer: adds jobs and waits for each to complete, by QueueEvents. */
import { Queue, QueueEvents } from 'bullmq';
import { load } from './load.js';

const connection = { url: process.env['REDIS_URL'] ?? '', maxRetriesPerRequest: null };
const queue = new Queue('raw', { connection });
const events = new QueueEvents('raw', { connection });
await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
process.on('message', (said: { type: string; count: number; concurrency: number }) => {
  if (said.type !== 'run') return;
  void load(said, async () => {
    const job = await queue.add('noop', {}, { removeOnComplete: true });
    await job.waitUntilFinished(events);
  }).then((result) => process.send?.({ type: 'result', result }));
});
process.send?.({ type: 'ready' });
process.on('SIGTERM', () => process.exit(0));
