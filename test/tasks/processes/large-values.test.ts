/** Tests that a large value outlives the processes, and that a gateway which gives it to a client holds one part of it at a time. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBlobs } from '@longhaul/store';
import type { BlobStore } from '@longhaul/tasks';
import { collected } from '@longhaul/tasks/testing';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Deployment, type Process } from '../../support/deployment.js';
import { modernClient } from '../../support/gateway-2026/modern-client.js';
import { startTask, untilStatus } from '../../support/gateway-2026/task-client.js';
import { type S3Server, startS3 } from '../../support/s3-server.js';
import { connectStock } from '../../support/stock-clients.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';

const MEBIBYTES = 100;
/** Has a process collect what it does not need any more. */
const FRUGAL = ['--max-old-space-size=72', '--max-semi-space-size=4'];

const folder = new TestFolder();
const log = join(folder.path, 'log');
const gate = join(folder.path, 'gate');

let deployment: Deployment;
/** Where the large values are: with Redis in a bucket. */
let place: BlobStore;
let server: S3Server | undefined;
beforeAll(async () => {
  server = inject('store') === 'SQLite' ? undefined : await startS3();
  // This process looks into the bucket too.
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = server?.env ?? {};
  if (server !== undefined) Object.assign(process.env, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY });
  deployment = Deployment.create({
    LONGHAUL_FEATURES: fileURLToPath(new URL('./large-values-tool.ts', import.meta.url)),
    LARGE_VALUES_LOG: log,
    LARGE_VALUES_GATE: gate,
    ...server?.env,
  });
  // With a data file it is a folder next to that, without a setting.
  place = await openBlobs(
    server === undefined
      ? { kind: 'folder', path: join(deployment.store.env['LONGHAUL_DATA_DIR'] ?? '', 'blobs'), isNamed: false }
      : { kind: 'bucket', name: server.bucket, prefix: 'tests', region: 'us-east-1', endpoint: server.url },
  );
  await writeFile(log, '');
});
afterAll(async () => {
  await deployment.close();
  await server?.close();
  folder.remove();
});

const lines = async (): Promise<readonly string[]> => (await readFile(log, 'utf8')).trim().split('\n');
const untilWaiting = (times: number): Promise<unknown> =>
  waitUntil(async () => (await lines()).filter((line) => line === 'waiting').length === times, {
    description: `the tool waits for the ${times}. time`,
  });
/** The most memory that a process has had so far, MiB. */
const peakOf = async ({ child }: Process): Promise<number> =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

/** A value that nothing refers to, of a task that is gone. @returns whether it is still there */
async function leaveOrphan(): Promise<() => Promise<boolean>> {
  const own = (await collected(place.names(''))).find((name) => name !== 'writable') ?? '';
  const task = `${own}/00000000-0000-4000-8000-000000000000`;
  await place.put(`${task}/1-a-b/1`, Buffer.from('left'));
  return async () => (await place.get(`${task}/1-a-b/1`)) !== undefined;
}

it('outlives its worker and its gateway, is not made again, and is given in parts by a gateway with less memory than it takes', async () => {
  const [first, second, worker] = await Promise.all([deployment.gateway(), deployment.gateway({}, FRUGAL), deployment.worker()]);
  const { taskId } = await startTask(modernClient(first), 'export', { mebibytes: MEBIBYTES });
  await untilWaiting(1);
  await Promise.all([worker.kill(), first.kill()]);
  const isThere = await leaveOrphan();
  await deployment.worker();
  await untilWaiting(2);
  await writeFile(gate, '');

  const { result } = await untilStatus(modernClient(second), taskId, 'completed');
  expect((await lines()).filter((line) => line === 'made')).toHaveLength(1);
  const text = (result as { content: { type: string; text?: string }[] }).content[0]?.text ?? '';
  const last = Number(/large-result\/(\d+): their texts/.exec(text)?.[1]);
  expect(last).toBe(MEBIBYTES / 2 + 1);
  const client = await connectStock('2026-07-28', second.url);
  const before = await peakOf(second);
  const parts: string[] = [];
  for (let part = 1; part <= last; part++) {
    const { contents } = await client.read(`longhaul://tasks/${taskId}/large-result/${part}`);
    parts.push(String(contents[0]?.['text']));
  }
  await client.close();
  const whole = JSON.parse(parts.join('')) as { content: { text: string }[] };
  expect(whole.content[0]?.text.length).toBe(MEBIBYTES * 1024 * 1024);
  expect(whole.content[0]?.text.endsWith(String.fromCodePoint(65 + ((MEBIBYTES - 1) % 26)).repeat(9))).toBe(true);
  const after = await peakOf(second);
  expect(after - before).toBeLessThan(MEBIBYTES);
  await waitUntil(async () => !(await isThere()), { description: 'what nothing refers to is removed', timeoutMs: 150_000 });
});
