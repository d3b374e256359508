/** Tests the compose file with its additions for production: as Compose reads both, and running. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@longhaul/bench/free-port';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { getContainerRuntimeClient } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { ownSecrets } from './manifests/deployment-files.js';
import { imageTag, repository, runId } from './support/run.js';

interface Service {
  readonly build?: unknown;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly ports?: readonly unknown[];
  readonly networks: Readonly<Record<string, unknown>>;
  readonly restart?: string;
  readonly logging?: { options: Readonly<Record<string, string>> };
  readonly secrets?: readonly { source: string }[];
  readonly deploy: { replicas?: number; resources: { limits: { memory: string; cpus: number; pids: number } } };
}

interface Project {
  readonly services: Readonly<Record<'gateway' | 'worker' | 'redis' | 'nginx', Service>>;
  readonly networks: Readonly<Record<string, { internal?: boolean }>>;
}

const projectName = `testcontainers-${runId()}-production`;
let folder: string;
let secretsFile: string;
let port: number;

beforeAll(async () => {
  port = await freePort();
  folder = await mkdtemp(join(tmpdir(), 'longhaul-production-'));
  secretsFile = join(folder, '.env');
  const lines = Object.entries(ownSecrets).map(([name, value]) => `${name}=${value}\n`);
  // The user of the containers reads it, who is not the one that has made it.
  await writeFile(secretsFile, lines.join(''), { mode: 0o644 });
});
afterAll(() => rm(folder, { recursive: true }));

async function compose(args: readonly string[], env: Record<string, string> = { LONGHAUL_TAG: imageTag }) {
  const files = ['--env-file', secretsFile, '-f', 'docker-compose.yml', '-f', 'docker-compose.production.yml'];
  const child = spawn('docker', ['compose', '-p', projectName, ...files, ...args], {
    cwd: repository,
    env: { ...process.env, LONGHAUL_SECRETS_FILE: secretsFile, LONGHAUL_PORT: String(port), ...env },
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: Number(code), output, errors };
}

describe('the compose file for production', () => {
  let project: Project;
  beforeAll(async () => {
    const { code, output, errors } = await compose(['config', '--format', 'json']);
    expect(code, errors).toBe(0);
    project = JSON.parse(output) as Project;
  });

  it('publishes nothing but nginx, and lets nobody reach Redis but gateways and workers', () => {
    const { services, networks } = project;
    expect(Object.entries(services).flatMap(([name, { ports }]) => (ports === undefined ? [] : [name]))).toEqual(['nginx']);
    expect(Object.keys(services.redis.networks)).toEqual(['data']);
    expect(networks['data']?.internal).toBe(true);
    expect(Object.keys(services.nginx.networks)).not.toContain('data');
  });

  it('starts everything again that ends, limits what it takes, and keeps logs small', () => {
    for (const [name, { restart, deploy, logging }] of Object.entries(project.services)) {
      expect(restart, name).toBe('unless-stopped');
      expect(deploy.resources.limits, name).toEqual({ memory: expect.any(String), cpus: expect.any(Number), pids: expect.any(Number) });
      expect(logging?.options['max-size'], name).toBe('20m');
    }
  });

  it('builds nothing, and asks which version is to run', async () => {
    expect(Object.values(project.services).filter(({ build }) => build !== undefined)).toEqual([]);
    const { code, errors } = await compose(['config', '--quiet'], {});
    expect(code).not.toBe(0);
    expect(errors).toContain('LONGHAUL_TAG is missing a value: name the version that is to run');
  });

  it('gives secrets as a file, and to gateways only', () => {
    const { gateway, worker } = project.services;
    expect(gateway.secrets?.map(({ source }) => source)).toEqual(['longhaul']);
    expect(worker.secrets).toBeUndefined();
    for (const { environment = {} } of [gateway, worker])
      for (const name of ['LONGHAUL_SECRET', 'LONGHAUL_OLD_SECRETS', 'LONGHAUL_TOKENS']) expect(environment[name] ?? '').toBe('');
  });
});

describe('the operator API in production', () => {
  it('reads who is let in from a file of its own, and is not there without its profile', async () => {
    const { code, output, errors } = await compose(['--profile', 'operator', 'config', '--format', 'json']);
    expect(code, errors).toBe(0);
    const { services } = JSON.parse(output) as { services: Record<string, Service> };
    const { operator, redis, nginx } = services;
    expect(operator?.secrets?.map(({ source }) => source)).toEqual(['longhaul-operator']);
    expect(operator?.environment?.['LONGHAUL_OPS_TOKENS'] ?? '').toBe('');
    expect(operator?.ports).toMatchObject([{ host_ip: '127.0.0.1', target: 3010 }]);
    expect(Object.keys(operator?.networks ?? {}).toSorted()).toEqual(['data', 'operators']);
    expect(Object.keys(redis?.networks ?? {})).toEqual(['data']);
    expect(Object.keys(nginx?.networks ?? {})).not.toContain('operators');
    expect(JSON.parse((await compose(['config', '--format', 'json'])).output)).not.toHaveProperty('services.operator');
  });
});

describe('a deployment by it', () => {
  beforeAll(async () => {
    const { code, errors } = await compose(['up', '--detach']);
    expect(code, errors).toBe(0);
  });
  afterAll(async () => void (await compose(['down', '--volumes', '--timeout', '5'])));

  async function listTools(token: string): Promise<number> {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }));
    const { tools } = await client.listTools();
    await client.close();
    return tools.length;
  }

  it('lets in whom the file names, and shows its content to nobody who asks Docker', async () => {
    const { LONGHAUL_SECRET = '', LONGHAUL_TOKENS = '' } = ownSecrets;
    const [, token = ''] = LONGHAUL_TOKENS.split(':');
    const served = () => listTools(token).then((count) => count > 0, () => false); // prettier-ignore
    await waitUntil(served, { description: 'it serves' });
    await expect(listTools('a-token-of-nobody')).rejects.toThrow();
    const { container } = await getContainerRuntimeClient();
    const all = (await container.list()).filter(({ Labels }) => Labels['com.docker.compose.project'] === projectName);
    expect(all).toHaveLength(6);
    for (const { Id } of all) {
      const details = JSON.stringify(await container.getById(Id).inspect());
      for (const secret of [LONGHAUL_SECRET, token]) expect(details).not.toContain(secret);
    }
  });
});
