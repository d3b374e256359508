import { randomBytes } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BucketConfig } from '@longhaul/runtime/environment';
import { createKeyRing } from '@longhaul/runtime/keys';
import { openMemoryStore } from '@longhaul/store-sqlite';
import type { TaskId } from '@longhaul/tasks';
import { createLargeValues } from '@longhaul/tasks/store';
import { blobStoreContract, codecOf } from '@longhaul/tasks/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type S3Server, startS3 } from '../../../../test/support/s3-server.js';
import { openBucket } from './bucket.js';
import { openBlobs } from './open-blobs.js';

let server: S3Server;
const before = { ...process.env };
beforeAll(async () => {
  server = await startS3();
  Object.assign(process.env, server.env);
});
afterAll(async () => {
  process.env = before;
  await server.close();
});

const config = (more: Partial<BucketConfig> = {}): BucketConfig => ({
  kind: 'bucket',
  name: server.bucket,
  prefix: '',
  region: 'us-east-1',
  endpoint: server.url,
  ...more,
});

blobStoreContract('a bucket', async () => ({ blobs: await openBlobs(config({ prefix: 'a/b' })), close: async () => undefined }));

it('has large values sealed, in parts, and removes them with their task', async () => {
  const blobs = await openBlobs(config({ prefix: 'sealed' }));
  const codec = codecOf(openMemoryStore().dataKeys, { ring: createKeyRing({ name: 'only', secret: 'the only key' }) });
  const values = createLargeValues({ blobs, codec, folder: 'f', fromBytes: 10, maxBytes: 1e9, partLength: 1_000 });
  const taskId = '11111111-1111-4111-8111-111111111111' as TaskId;
  const json = JSON.stringify(`a secret €😀 ${randomBytes(3_000).toString('hex')}`);
  const value = await values.keep({ taskId, owner: 'ada' }, values.newId(1), json);
  expect(value.parts).toBe(7);
  expect(await values.json(taskId, value)).toBe(json);
  const files = await readdir(server.folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile()))
    expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toContain('a secret');
  await values.remove(taskId, value.id);
  await expect(values.json(taskId, value)).rejects.toMatchObject({ code: 'VALUE_MISSING' });
});

it('says in one line that the server is away, and works when it is back', async () => {
  const blobs = await openBlobs(config());
  await blobs.put('task/1', Buffer.from('kept'));
  await server.stop();
  for (const work of [() => blobs.put('task/2', Buffer.from('late')), () => blobs.get('task/1'), () => blobs.remove('task')])
    await expect(work()).rejects.toMatchObject({
      code: 'VALUES_UNAVAILABLE',
      message: expect.stringMatching(
        new RegExp(`^The bucket of large values s3://large-values at ${server.url} cannot be used: .*$`),
      ) as string,
    });
  // A deployment starts without it.
  const late = await openBlobs(config());
  await server.start();
  expect(Buffer.from((await late.get('task/1')) ?? [])).toEqual(Buffer.from('kept'));
  await blobs.put('task/2', Buffer.from('late'));
});

it('is refused at the start in one line for a bucket that is not there, wrong credentials, and without the client', async () => {
  await expect(openBlobs(config({ name: 'nowhere', prefix: 'p' }))).rejects.toThrow(
    /^LONGHAUL_BLOBS=s3:\/\/nowhere\/p: .* is refused: there is no such bucket: create it, or set LONGHAUL_BLOBS to another one$/,
  );
  process.env['AWS_ACCESS_KEY_ID'] = 'somebody';
  await expect(openBlobs(config())).rejects.toThrow(/set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY$/);
  process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(openBucket(config(), () => Promise.reject(missing))).rejects.toThrow(
    'LONGHAUL_BLOBS=s3://large-values needs the package @aws-sdk/client-s3: run npm install @aws-sdk/client-s3, or add it to your image as docs/large-values.md says',
  );
});
