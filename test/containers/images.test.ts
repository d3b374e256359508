/** Tests the content of the images, and their health checks. */
import { freePort } from '@longhaul/bench/free-port';
import { getContainerRuntimeClient, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGTERM_WHILE_LOADING } from '../support/sigterm-while-loading.js';
import { waitUntil } from '../support/wait-until.js';
import { connect, createTask } from './support/client.js';
import { gatewayImage, longhaulImage, operatorImage, runLabels, workerImage } from './support/run.js';
import { type Docker, LockedContainer, type Service } from './support/service.js';
import { Stack } from './support/stack.js';

const MOST_BYTES = 300 * 1_000_000;

let stack: Stack;
let docker: Docker;
let gateway: Service;
let worker: Service;

beforeAll(async () => {
  docker = (await getContainerRuntimeClient()).container.dockerode;
  stack = await Stack.start({ gateways: 1, workers: 1 });
  gateway = stack.gateways[0]!.service;
  worker = stack.workers[0]!;
});
afterAll(() => stack.stop());

describe.each([gatewayImage, workerImage, operatorImage, longhaulImage])('the image %s', (name) => {
  it('adds less than 300 MB to its base, runs as a user and says what it is', async () => {
    const [image, base] = await Promise.all([docker.getImage(name).inspect(), docker.getImage('node:24-slim').inspect()]);
    const bytes = image.Size - base.Size;
    process.stdout.write(`${name}: ${(bytes / 1_000_000).toFixed(1)} MB beyond its base of ${(base.Size / 1_000_000).toFixed(1)} MB\n`);
    expect(bytes).toBeLessThan(MOST_BYTES);
    expect(image.Config.User).toBe('1000:1000');
    expect(image.Config.Labels).toMatchObject({
      'org.opencontainers.image.title': name.split(':')[0],
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.source': 'https://github.com/longhaul-dev/longhaul',
    });
  });
});

describe('the processes in the images', () => {
  it('run as nobody special, on a file system that they cannot write to, without development tools', async () => {
    for (const { container } of [gateway, worker]) {
      expect((await container.exec(['id', '-u'])).stdout.trim()).toBe('1000');
      expect((await container.exec(['sh', '-c', 'echo x >/app/x'])).exitCode).not.toBe(0);
      expect((await container.exec(['ls', '/app/node_modules/typescript'])).exitCode).not.toBe(0);
    }
  });
});

describe('the image of the command', () => {
  it('serves by itself, on a file system of which it can write to nothing but its data', async () => {
    const port = await freePort();
    const container = await new LockedContainer(longhaulImage)
      .withNetworkMode((await stack.network.inspect()).Name)
      .withEnvironment({ REDIS_URL: 'redis://redis:6379', LONGHAUL_KEY_PREFIX: 'alone', LONGHAUL_ALLOW_ANONYMOUS: '1' })
      .withLoopbackPort(3000, port)
      .withWaitStrategy(Wait.forHealthCheck())
      .start();
    try {
      const { client } = await connect(() => `http://127.0.0.1:${port}/mcp`);
      const result = await client.callTool({ name: 'echo', arguments: { message: 'from one container' } });
      expect(JSON.stringify(result)).toContain('from one container');
      await client.close();
      expect((await container.exec(['sh', '-c', 'id -u && git --version && touch /data/x && ! touch /app/x'])).exitCode).toBe(0);
    } finally {
      await container.stop({ timeout: 10_000 });
    }
  });
});

describe('a start in the images', () => {
  it('takes what was compiled when they were built', async () => {
    const kept = "console.log(require('node:fs').readdirSync(process.env.NODE_COMPILE_CACHE, { recursive: true }).length)";
    for (const { container } of [gateway, worker]) {
      const used = "console.log(require('node:module').getCompileCacheDir()?.startsWith(process.env.NODE_COMPILE_CACHE))";
      expect((await container.exec(['node', '-e', used])).stdout.trim()).toBe('true');
      expect(Number((await container.exec(['node', '-e', kept])).stdout)).toBeGreaterThan(100);
    }
  });
});

describe('the documents in the images', () => {
  it('are resources', async () => {
    const { client } = await connect(() => stack.proxyUrl);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('demo://resource/static/document/features.md');
    await client.close();
  });
});

describe('the health checks of the images', () => {
  it('show whether Redis answers, and that a worker without Redis is awake all the same', async () => {
    const livez = "fetch('http://127.0.0.1:3001/livez').then(({ ok }) => process.exit(ok ? 0 : 1))";
    const awake = async () => (await worker.container.exec(['node', '-e', livez])).exitCode;
    expect([await gateway.checkHealth(), await worker.checkHealth(), await awake()]).toEqual([0, 0, 0]);
    await stack.redis.kill();
    await waitUntil(async () => (await gateway.checkHealth()) === 1, { description: 'the gateway is not ready' });
    await waitUntil(async () => (await worker.checkHealth()) === 1, { description: 'the worker is not ready' });
    expect(await awake()).toBe(0);
    await stack.redis.start();
    await waitUntil(async () => (await gateway.checkHealth()) === 0, { description: 'the gateway is ready again' });
    await waitUntil(async () => (await worker.checkHealth()) === 0, { description: 'the worker is ready again' });
  });

  it('find a worker whose step never yields', async () => {
    const { client } = await connect(() => stack.proxyUrl);
    const taskId = await createTask(client, 'hog', { ms: 10_000 });
    await waitUntil(async () => (await stack.ledger(taskId)).length > 0, { description: 'the step runs' });
    await waitUntil(async () => (await worker.checkHealth()) === 1, { description: 'the step is found' });
    await waitUntil(async () => (await worker.checkHealth()) === 0, { description: 'the worker is ready again' });
    await client.close();
  });
});

describe.each([gatewayImage, workerImage, operatorImage])('the process of %s without an init process', (Image) => {
  it('ends by itself on a SIGTERM that comes while it is still being loaded', async () => {
    const container = await docker.createContainer({
      Image,
      Labels: runLabels(),
      // Each takes what it is about: without, it would end before it loads that.
      Env: [
        `NODE_OPTIONS=--import=${SIGTERM_WHILE_LOADING}`,
        'LONGHAUL_ALLOW_ANONYMOUS=1',
        'LONGHAUL_OPS_TOKENS=ada:6f1c9a2be47d083559ee71bd:operate',
      ],
      // Without a network there is no Redis: if the signal were lost, it would end with exit code 1.
      HostConfig: { Init: false, NetworkMode: 'none' },
    });
    try {
      await container.start();
      expect(await container.wait()).toMatchObject({ StatusCode: 0 });
    } finally {
      await container.remove({ force: true });
    }
  });
});

describe('the processes in the images, when they are stopped', () => {
  it('end by themselves when there is nothing to do', async () => {
    for (const service of [gateway, worker]) {
      expect(await service.stop()).toBe(0);
    }
  });
});
