/** The producer of raw BullMQ: adds jobs and waits for each to complete, by QueueEvents. */
import { Queue, QueueEvents } from 'bullmq';
import { load, type Load } from '../measure/load.js';

const connection = { url: process.env['REDIS_URL'] ?? '', maxRetriesPerRequest: null };
const queue = new Queue('raw', { connection });
// Reads from the beginning: by default it would miss events between two of its reads of an empty stream.
const events = new QueueEvents('raw', { connection, lastEventId: '0' });
await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
const waiting = new Map<string, () => void>();
events.on('completed', ({ jobId }) => waiting.get(jobId)?.());
let jobs = 0;

/** `waitUntilFinished` is not used: it adds listeners and look-ups for each job, and fails for jobs that are removed. */
async function runJob(): Promise<void> {
  const jobId = `job-${process.pid}-${(jobs += 1)}`;
  const completed = new Promise<void>((resolve) => waiting.set(jobId, resolve));
  await queue.add('noop', {}, { jobId, removeOnComplete: true });
  await completed;
  waiting.delete(jobId);
}

process.on('message', (said: { type: string; load: Load }) => {
  if (said.type === 'run') void load(said.load, runJob).then((result) => process.send?.({ type: 'result', result }));
});
process.send?.({ type: 'ready' });
process.on('SIGTERM', () => process.exit(0));
