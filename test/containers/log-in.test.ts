/** Tests the authorization server of the compose file, and the example that logs in there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@longhaul/bench/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followToCallback } from '../access/support/authorization-server.js';
import { waitUntil } from '../support/wait-until.js';
import { imageTag, repository, runId, secret } from './support/run.js';

const projectName = `testcontainers-${runId()}-log-in`;
const CLIENT_SECRET = 'd2b8c1f07e6a4953';
let endpoint: string;
let issuer: string;
let environment: Record<string, string>;

async function compose(...args: readonly string[]): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, ...environment };
  const child = spawn('docker', ['compose', '-p', projectName, '--profile', 'auth', ...args], { cwd: repository, env });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output: output + errors };
}

beforeAll(async () => {
  const [port, loginPort] = [await freePort(), await freePort()];
  endpoint = `http://localhost:${port}/mcp`;
  issuer = `http://localhost:${loginPort}`;
  environment = {
    LONGHAUL_SECRET: secret,
    LONGHAUL_PORT: String(port),
    LONGHAUL_LOGIN_PORT: String(loginPort),
    LONGHAUL_LOGIN_CLIENT_SECRET: CLIENT_SECRET,
    LONGHAUL_PUBLIC_URL: endpoint,
    LONGHAUL_ISSUERS: JSON.stringify([{ issuer, jwksUri: 'http://authorization-server.localhost:3020/jwks' }]),
    LONGHAUL_SCOPES: '{"required":["mcp"]}',
    LONGHAUL_TAG: imageTag,
    LONGHAUL_RESEARCH_STAGE_MS: '100',
  };
  const started = await compose('up', '--detach', '--wait', '--build', 'authorization-server');
  expect(started.code, started.output).toBe(0);
  const served = await compose('up', '--detach', '--wait', '--no-build', 'nginx', 'worker');
  expect(served.code, served.output).toBe(0);
});
afterAll(async () => void (await compose('down', '--volumes', '--timeout', '5')));

/** Runs the example of the documents as its readers do. */
function example(env: Record<string, string>) {
  const child = spawn(process.execPath, [join(repository, 'docs/examples/log-in.ts'), endpoint], {
    env: { ...process.env, ISSUER: issuer, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (part: Buffer) => (printed += part.toString()));
  const ended = once(child, 'close');
  return { printed: () => printed, ended: async () => [...(await ended), printed] as const };
}

describe('docker compose --profile auth up', () => {
  it('lets in nobody without a token, and names the authorization server', async () => {
    const { status, headers } = await fetch(endpoint, { method: 'POST', body: '{}' });
    expect(status).toBe(401);
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: endpoint, authorization_servers: [issuer] });
  });

  it('lets a user log in by authorization code with PKCE, and run a task', async () => {
    const { printed, ended } = example({});
    const opened = () => /^open +(\S+)$/m.exec(printed())?.[1];
    const page = new URL(await waitUntil(opened, { description: 'the example names a page to open' }));
    expect(page.searchParams.get('code_challenge_method')).toBe('S256');
    const callback = await followToCallback(page, 'grace');
    expect(callback.searchParams.get('iss')).toBe(issuer);
    await fetch(callback);
    expect(await ended()).toEqual([0, null, expect.stringMatching(/^result .*Research Report/m)]);
  });

  it('lets a program in by client credentials, and run a task', async () => {
    const { ended } = example({ CLIENT_SECRET });
    expect(await ended()).toEqual([0, null, expect.stringMatching(/^result .*Research Report/m)]);
  });

  it('lets in nobody with another secret', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', resource: endpoint, scope: 'mcp' });
    const authorization = `Basic ${Buffer.from('service:another-secret').toString('base64')}`;
    const { status } = await fetch(`${issuer}/token`, { method: 'POST', body, headers: { authorization } });
    expect(status).toBe(401);
  });
});
