/** Tests the compose file itself, scaled. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { freePort } from '@longhaul/bench/free-port';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { DockerComposeEnvironment, getContainerRuntimeClient, type StartedDockerComposeEnvironment, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { connect, createTask, textOf, whenServed } from './support/client.js';
import { imageTag, repository, runId, secret } from './support/run.js';

let project: StartedDockerComposeEnvironment | undefined;
let endpoint: string;
let environment: Record<string, string>;
const projectName = `testcontainers-${runId()}`;
const OPS_TOKEN = '6b1f0c9d47e2a853b14f';

beforeAll(async () => {
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}/mcp`;
  environment = {
    LONGHAUL_SECRET: secret,
    LONGHAUL_ALLOW_ANONYMOUS: '1',
    LONGHAUL_PORT: String(port),
    LONGHAUL_TAG: imageTag,
    LONGHAUL_RESEARCH_STAGE_MS: '300',
  };
  project = await new DockerComposeEnvironment(repository, 'docker-compose.yml')
    .withProjectName(projectName)
    .withEnvironment(environment)
    .withClientOptions({ commandOptions: ['--scale', 'gateway=2', '--scale', 'worker=2'] })
    .withWaitStrategy('nginx-1', Wait.forHealthCheck())
    .up();
});
afterAll(() => project?.down({ removeVolumes: true, timeout: 5_000 }));

async function compose(args: readonly string[], env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  const child = spawn('docker', ['compose', '-p', projectName, ...args], { cwd: repository, env: { ...process.env, ...env } });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output: output + errors };
}

describe('docker compose up --scale gateway=2 --scale worker=2', () => {
  it('starts all of it healthy, behind a port of this machine only', async () => {
    const { container } = await getContainerRuntimeClient();
    const all = (await container.list()).filter(({ Labels }) => Labels['com.docker.compose.project'] === projectName);
    const services = all.map(({ Labels }) => Labels['com.docker.compose.service'] ?? '');
    expect(services.toSorted()).toEqual(['gateway', 'gateway', 'nginx', 'redis', 'worker', 'worker']);
    const published = all.flatMap(({ Ports }) => Ports.filter(({ PublicPort }) => PublicPort !== undefined));
    expect(published).toMatchObject([{ IP: '127.0.0.1', PublicPort: Number(new URL(endpoint).port) }]);
    for (const { Id } of all) {
      const isHealthy = async () => (await container.getById(Id).inspect()).State.Health?.Status === 'healthy';
      await waitUntil(isHealthy, { description: 'a container is healthy' });
    }
  });

  it('serves a session through nginx, with a question and its answer', async () => {
    const { client } = await connect(
      () => endpoint,
      () => ({ action: 'accept', content: { interpretation: 'comedy' } }),
    );
    await client.listTools();
    const taskId = await createTask(client, 'simulate-research-query', { topic: 'python', ambiguous: true });
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { timeout: 20_000 });
    expect(textOf(result)).toContain('(comedy)');
    await client.close();
  });

  it('follows --scale without a restart of nginx: one gateway less, then two more', async () => {
    const { client } = await connect(() => endpoint);
    for (const gateways of [1, 3]) {
      const scaled = await compose(['up', '-d', '--no-recreate', '--scale', `gateway=${gateways}`, '--scale', 'worker=2'], environment);
      expect(scaled.code, scaled.output).toBe(0);
      for (let request = 0; request < 20; request++) expect((await whenServed(() => client.listTools())).tools.length).toBeGreaterThan(0);
    }
    await client.close();
  });

  it.each([
    ['gateway', 'gateway/dist/mai[n].js'],
    ['nginx', 'ngin[x]: '],
  ])('replaces a %s that takes connections and answers none', async (service, commandLine) => {
    const { container } = await getContainerRuntimeClient();
    const all = (await container.list()).filter(({ Labels }) => Labels['com.docker.compose.project'] === projectName);
    const { Id = '' } = all.find(({ Labels }) => Labels['com.docker.compose.service'] === service) ?? {};
    const script = `for p in /proc/[0-9]*; do grep -q '${commandLine}' $p/cmdline && kill -STOP $(basename $p); done; true`;
    const stopped = await container.getById(Id).exec({ Cmd: ['sh', '-c', script] });
    await stopped.start({});
    const isReplaced = async (): Promise<boolean> => {
      const { RestartCount, State } = await container.getById(Id).inspect();
      return RestartCount > 0 && State.Health?.Status === 'healthy';
    };
    await waitUntil(isReplaced, { timeoutMs: 100_000, description: `the ${service} is replaced` });
    await whenServed(async () => (await connect(() => endpoint)).client.close());
  });

  it('serves the operator API on a port of this machine to those whom a setting names, with its profile', async () => {
    const port = await freePort();
    const env = { ...environment, LONGHAUL_OPS_TOKENS: `ada:${OPS_TOKEN}:read`, LONGHAUL_OPS_PORT: String(port) };
    const run = (...args: string[]) => compose(['--profile', 'operator', ...args, 'operator'], env);
    const started = await run('up', '-d', '--no-recreate', '--wait');
    try {
      expect(started.code, started.output).toBe(0);
      const ask = (authorization: string) => fetch(`http://127.0.0.1:${port}/api/v1/workers`, { headers: { authorization } });
      const { workers } = (await (await ask(`Bearer ${OPS_TOKEN}`)).json()) as { workers: unknown[] };
      expect(workers.length).toBeGreaterThan(0);
      expect((await ask('Bearer nobody.has.this.token')).status).toBe(401);
    } finally {
      await run('rm', '--stop', '--force');
    }
  });

  it('lets in nobody without a token unless a setting says so', async () => {
    const { output } = await compose(['config'], {
      ...environment,
      LONGHAUL_ALLOW_ANONYMOUS: '',
      LONGHAUL_TOKENS: 'ada:token-of-ada-0001',
    });
    expect(output).toContain('LONGHAUL_TOKENS: ada:token-of-ada-0001');
    expect(output).not.toContain('LONGHAUL_ALLOW_ANONYMOUS: "1"');
  });

  it('says what is missing when there is no secret', async () => {
    const { code, output } = await compose(['config', '--quiet'], { ...environment, LONGHAUL_SECRET: '' });
    expect(code).not.toBe(0);
    expect(output).toContain('LONGHAUL_SECRET is missing a value: it has to be the same in all gateways');
  });
});
