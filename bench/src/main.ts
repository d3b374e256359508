/**
 * Measures, in one run and on one Redis: raw BullMQ (add → process → completed, somebody waits) and
 * Longhaul (task-augmented `tools/call` of a tool that does nothing → `tasks/result`, over HTTP, gateway
 * and worker as processes of their own), then the cost of `tasks/get` and the delivery lag. With
 * `--generation 2026`: revision 2026-07-28 beside 2025-11-25, as `generations.ts` says.
 *
 * Machines are shared and noisy: trust the CPU figures and the ratios of one run, not the rates.
 */
import { parseArgs } from 'node:util';
import { benchGenerations } from './generations.js';
import { measureGet, measureLag, measureList, measureLonghaul, measureRaw } from './measurements.js';
import { startChild, startRedis } from './processes.js';
import { printReport } from './report.js';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '5000' },
    concurrency: { type: 'string', default: '32' },
    runs: { type: 'string', default: '3' },
    generation: { type: 'string', default: '2025' },
  },
});
const load = { count: Number(values.tasks), concurrency: Number(values.concurrency) };
const runs = Number(values.runs);

const redis = await startRedis();
const path = (name: string): string => new URL(name, import.meta.url).pathname;
const env = {
  REDIS_URL: redis.url,
  PORT: '0',
  LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
  LONGHAUL_FEATURES: path('./features.js'),
  LONGHAUL_MAX_TASKS_PER_OWNER: '1000000',
  LONGHAUL_MAX_TASKS_PER_MINUTE: '10000000',
  LONGHAUL_MAX_SESSIONS_PER_HOUR: '10000000',
};
const worker = await startChild(path('../../apps/worker/dist/main.js'), env);
const gateway = await startChild(path('../../apps/gateway/dist/main.js'), env);
const url = String(gateway.ready['url']);

try {
  await (values.generation === '2026' ? benchBoth() : benchRaw());
} finally {
  await Promise.all([worker.stop(), gateway.stop()]);
  await redis.stop();
}

async function benchBoth(): Promise<void> {
  const bare = await startChild(path('./bare-route.js'), env);
  try {
    await benchGenerations({ redis, gateway, worker, bare, url, bareUrl: String(bare.ready['url']) }, load, runs);
  } finally {
    await bare.stop();
  }
}

async function benchRaw(): Promise<void> {
  const rawWorker = await startChild(path('./raw-worker.js'), env);
  const rawProducer = await startChild(path('./raw-producer.js'), env);
  try {
    const raw = await measureRaw({ redis, producer: rawProducer, worker: rawWorker }, load, runs);
    const longhaul = await measureLonghaul({ redis, gateway, worker }, url, load, runs);
    const get = await measureGet({ redis, gateway }, url, load, runs);
    const lag = await measureLag(url);
    const pages = { ...load, count: Math.ceil(load.count / 5) };
    const few = await measureList({ redis, gateway }, url, pages, runs, 50);
    const many = await measureList({ redis, gateway }, url, pages, runs, 100_000);
    printReport({ load, runs, raw, longhaul, get, lag, few, many });
  } finally {
    await Promise.all([rawWorker.stop(), rawProducer.stop()]);
  }
}
