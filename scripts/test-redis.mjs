// Provides a real Redis for the tests: REDIS_URL, else our own child, a program of `redis-program.mjs`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { documentedUsers, makeCertificates, tlsSettings, tlsUrl } from '../test/support/tls-redis.ts';
import { redisProgram, WAYS } from './redis-program.mjs';

const START_LIMIT_MS = 10_000;
const STOP_GRACE_MS = 5_000;
const START_ATTEMPTS = 3;

/**
 * @typedef {object} TestRedis
 * @property {string} url
 * @property {string} label
 * @property {string} [adminUrl] the address with which tests inspect it, if other users may see little
 * @property {() => Promise<void>} stop
 */

/**
 * @param {boolean} [isSecure] whether its clients need TLS, a certificate, and a user with only the permissions of docs/redis.md
 * @returns {Promise<TestRedis>}
 * @throws {Error} with the ways to get one when there is none
 */
export async function provideRedis(isSecure = false) {
  const url = process.env['REDIS_URL'];
  if (url && !isSecure) return { url, label: 'REDIS_URL', stop: async () => undefined };
  const program = await redisProgram();
  for (let attempt = 1; ; attempt += 1) {
    const redis = await startRedis(program, isSecure);
    if (redis !== undefined) return redis;
    if (attempt === START_ATTEMPTS) throw new Error(`${program.path} did not start ${START_ATTEMPTS} times.\n${WAYS}`);
  }
}

/**
 * @param {{ path: string, label: string }} program
 * @param {boolean} isSecure
 * @returns {Promise<TestRedis | undefined>} undefined when it ended at once, for example because the port was taken in between
 */
async function startRedis(program, isSecure) {
  const { followChild } = await import('longhaul/testing');
  const { startRedisGuard } = await import('@longhaul/redis/testing');
  const { freePort } = await import('@longhaul/bench/free-port');
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-test-redis-'));
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  // Ctrl-C in the terminal must not end it before those who use it.
  const tlsPort = isSecure ? await freePort() : 0;
  if (isSecure) makeCertificates(folder);
  const secure = isSecure ? tlsSettings(folder, tlsPort) : [];
  const server = spawn(program.path, [...settings, ...secure, '--maxmemory-policy', 'noeviction'], { stdio: 'ignore', detached: true });
  const child = followChild('redis', server);
  // Also when this process is killed.
  startRedisGuard(child);
  const stop = async () => {
    await child.stop(STOP_GRACE_MS);
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + START_LIMIT_MS;
  while (server.exitCode === null && performance.now() < deadline) {
    if (await answers(port)) {
      if (!isSecure) return { url: `redis://127.0.0.1:${port}`, label: `${program.label} on port ${port}`, stop };
      await shutOut(port);
      const [url, adminUrl] = [tlsUrl(folder, tlsPort, 'longhaul'), tlsUrl(folder, tlsPort, 'admin')];
      return { url, adminUrl, label: `${program.label} on port ${tlsPort}, with TLS and its user`, stop };
    }
    await delay(20);
  }
  await stop();
  return undefined;
}

/**
 * Leaves the users of the documents, and the one of the tests themselves.
 *
 * @param {number} port
 */
async function shutOut(port) {
  const redis = new Redis(port, '127.0.0.1');
  for (const rules of documentedUsers()) await redis.call('ACL', 'SETUSER', ...rules);
  redis.disconnect();
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.on('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('+PONG'));
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });
}
