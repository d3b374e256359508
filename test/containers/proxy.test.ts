/** Tests the nginx of docker-compose.yml, with its memory limit there, and without a gateway: clients make it hold as much as they can. */
import { connect as openSocket, type Socket } from 'node:net';
import { freePort } from '@longhaul/bench/free-port';
import { getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { textOf } from '../docs/documents.js';
import { waitUntil } from '../support/wait-until.js';
import { NGINX_MOUNTS } from './support/run.js';
import { LockedContainer } from './support/service.js';

interface Proxy {
  readonly tmpfs: readonly string[];
  readonly deploy: { readonly resources: { readonly limits: { readonly memory: string } } };
}

const MIB = 1024 * 1024;
const LIMIT_BYTES = 4 * MIB;
const { tmpfs, deploy } = (parse(textOf('docker-compose.yml')) as { services: { nginx: Proxy } }).services.nginx;
const memoryBytes = Number.parseInt(deploy.resources.limits.memory, 10) * MIB;

let container: StartedTestContainer | undefined;
let port: number;
const sockets = new Set<Socket>();

beforeAll(async () => {
  port = await freePort();
  container = await new LockedContainer('nginx:stable-alpine')
    .withUser('nginx')
    .withTmpFs(Object.fromEntries(tmpfs.map((entry) => entry.split(':', 2) as [string, string])))
    .withMemoryLimit(memoryBytes)
    .withBindMounts(NGINX_MOUNTS)
    .withLoopbackPort(8080, port)
    .withWaitStrategy(Wait.forHttp('/nginx-health', 8080).forStatusCode(204))
    .start();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await container?.stop();
});

/** Sends the head of a POST and a given part of its body. @returns the status of the answer, if there is one by then */
async function post(head: string, sentBytes: number): Promise<() => string | undefined> {
  const socket = openSocket(port, '127.0.0.1');
  sockets.add(socket);
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
  // One that is refused is closed while the rest is still being sent.
  socket.on('error', () => undefined);
  socket.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${head}\r\n\r\n`);
  for (let left = sentBytes; left > 0 && socket.writable; left -= MIB) {
    const chunk = Buffer.alloc(Math.min(left, MIB), ' ');
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
  return () => /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
}

function once(socket: Socket, event: 'drain' | 'close'): Promise<void> {
  return new Promise((resolve) => socket.once(event, () => resolve()));
}

/** How often it was started, and whether it ran out of memory. */
async function state(): Promise<unknown> {
  const { container: containers } = await getContainerRuntimeClient();
  const { State, RestartCount } = await containers.getById(container?.getId() ?? '').inspect();
  return { isRunning: State.Running, hadNoMemory: State.OOMKilled, restarts: RestartCount };
}

async function isHealthy(): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/nginx-health`)).status === 204;
}

describe('the proxy', () => {
  it('refuses a body that a gateway would refuse, before it is sent', async () => {
    const status = await post(`Content-Length: ${LIMIT_BYTES + 1}`, 0);
    await waitUntil(() => status(), { description: 'the body is refused' });
    expect(status()).toBe('413');
  });

  it('takes a body of the limit', async () => {
    const status = await post(`Content-Length: ${LIMIT_BYTES}`, LIMIT_BYTES);
    await waitUntil(() => status(), { description: 'the body is taken' });
    expect(status()).toBe('503'); // The gateway is missing.
  });

  it('keeps its memory when one address sends a hundred bodies and ends none', async () => {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => post(`Content-Length: ${LIMIT_BYTES}`, LIMIT_BYTES - 1)));
    expect(statuses.map((status) => status())).toContain('429');
    await waitUntil(isHealthy, { description: 'it answers' });
    expect(await state()).toEqual({ isRunning: true, hadNoMemory: false, restarts: 0 });
  });

  it('counts bodies that do not say how long they are', async () => {
    const statuses = await Promise.all(Array.from({ length: 40 }, () => post('Transfer-Encoding: chunked', 0)));
    await waitUntil(() => statuses.filter((status) => status() === '429').length >= 24, {
      description: 'all but 16 are refused',
    });
    expect(await isHealthy()).toBe(true);
  });
});
