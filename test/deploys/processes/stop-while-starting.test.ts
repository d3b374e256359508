/** Tests gateways and workers that are stopped before they serve. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SIGTERM_WHILE_LOADING } from '../../support/sigterm-while-loading.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';

/** A server that takes connections and says nothing, so that the start waits for it. */
let mute: Server;
let sockets: Socket[];
let child: ChildProcess | undefined;

beforeEach(async () => {
  sockets = [];
  mute = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(mute, 'listening');
});
afterEach(async () => {
  child?.kill('SIGKILL');
  for (const socket of sockets) socket.destroy();
  mute.close();
  await once(mute, 'close');
});

interface Starting {
  readonly process: ChildProcess;
  /** Resolves when it has ended: with its exit code, or the name of the signal that it died of, and with its last words. */
  readonly ended: Promise<{ how: unknown; stderr: string }>;
}

function start(app: string, execArgv: readonly string[] = []): Starting {
  const { port } = mute.address() as { port: number };
  const started = fork(fileURLToPath(new URL(`../../../apps/${app}/dist/main.js`, import.meta.url)), {
    env: { ...INHERITED_ENV, REDIS_URL: `redis://127.0.0.1:${port}`, PORT: '0' },
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child = started;
  const ended = Promise.all([once(started, 'exit'), text(started.stderr!)]).then(([[code, signal], stderr]) => ({
    how: (code ?? signal) as unknown,
    stderr,
  }));
  return { process: started, ended };
}

describe.each(['gateway', 'worker'])('a %s that is stopped while it starts', (app) => {
  // All apps listen for both with the same code.
  it.each([app === 'gateway' ? 'SIGINT' : 'SIGTERM'] as const)(
    'ends by itself on %s, without waiting for a Redis that does not answer',
    async (signal) => {
      const starting = start(app);
      await once(mute, 'connection');
      starting.process.kill(signal);
      expect(await starting.ended).toEqual({ how: 0, stderr: '' });
    },
  );

  it('ends by itself when its launcher is gone', async () => {
    const starting = start(app);
    await once(mute, 'connection');
    starting.process.disconnect();
    expect(await starting.ended).toEqual({ how: 0, stderr: '' });
  });

  it('ends by itself on a SIGTERM that comes while it is still being loaded', async () => {
    const starting = start(app, ['--import', SIGTERM_WHILE_LOADING]);
    expect(await starting.ended).toEqual({ how: 0, stderr: '' });
  });
});
