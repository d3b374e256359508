import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { waitUntil } from '../../../../test/support/wait-until.js';
import type { AppProcess, ReadyMessage } from './app-process.js';
import { keepApp } from './kept-app.js';

interface FakeApp extends AppProcess {
  /** As if it ended by itself. */
  readonly end: (how: string) => void;
  readonly beReady: (message: ReadyMessage) => void;
  readonly fail: (error: Error) => void;
}

function fakeApp(): FakeApp {
  const ended = Promise.withResolvers<string>();
  const ready = Promise.withResolvers<ReadyMessage>();
  return {
    name: 'gateway',
    pid: 1,
    ended: ended.promise,
    ready: () => ready.promise,
    loaded: () => ready.promise.then(() => undefined),
    stop: async () => ended.resolve('exit code 0'),
    kill: () => ended.resolve('SIGKILL'),
    end: ended.resolve,
    beReady: ready.resolve,
    fail: ready.reject,
  };
}

function kept() {
  const apps: FakeApp[] = [];
  const lines: string[] = [];
  let now = 0;
  const start = (): FakeApp => {
    const app = fakeApp();
    apps.push(app);
    return app;
  };
  const log = (line: string): void => void lines.push(line);
  const app = keepApp({ start, signal: new AbortController().signal, log, pauseMs: 1, clock: () => now });
  const started = (count: number) => waitUntil(() => apps.length === count, { description: `it is started ${count} times` });
  return { app, apps, lines, started, pass: (ms: number) => void (now += ms) };
}

/** How long it takes to see that nothing happens. */
const QUIET_MS = 20;

describe('an app that is kept', () => {
  it('is started again when it ends', async () => {
    const { app, apps, lines, started } = kept();
    apps[0]?.beReady({ type: 'ready', url: 'there' });
    expect(await app.ready).toEqual({ type: 'ready', url: 'there' });
    apps[0]?.end('SIGKILL');
    await started(2);
    expect(lines).toEqual(['the gateway has ended (SIGKILL) and is started again']);
  });

  it('is not started again when it never was ready', async () => {
    const { app, apps } = kept();
    apps[0]?.fail(new Error('the gateway did not start: exit code 1'));
    apps[0]?.end('exit code 1');
    await expect(app.ready).rejects.toThrow('did not start');
    expect(await app.failed).toBe('the gateway did not start: exit code 1');
    await delay(QUIET_MS);
    expect(apps).toHaveLength(1);
  });

  it('is killed and started again when a later start hangs', async () => {
    const { apps, started } = kept();
    apps[0]?.beReady({ type: 'ready' });
    apps[0]?.end('SIGKILL');
    await started(2);
    apps[1]?.fail(new Error('not ready'));
    await started(3);
  });

  it('is not started again when it ends too often', async () => {
    const { app, apps, started } = kept();
    apps[0]?.beReady({ type: 'ready' });
    for (let count = 0; count < 6; count += 1) {
      await started(count + 1);
      apps[count]?.end('exit code 1');
    }
    expect(await app.failed).toBe('the gateway has ended 6 times within 60 s (now with exit code 1)');
    expect(apps).toHaveLength(6);
  });

  it('may end now and then for as long as it likes', async () => {
    const { apps, started, pass } = kept();
    apps[0]?.beReady({ type: 'ready' });
    for (let count = 0; count < 12; count += 1) {
      await started(count + 1);
      pass(15_000);
      apps[count]?.end('exit code 1');
    }
    await started(13);
  });

  it('is not started again once it is stopped, nor when it had ended just before', async () => {
    for (const hasEnded of [false, true]) {
      const { app, apps } = kept();
      apps[0]?.beReady({ type: 'ready' });
      await app.ready;
      if (hasEnded) apps[0]?.end('SIGKILL');
      await app.stop(1_000);
      await delay(QUIET_MS);
      expect(apps).toHaveLength(1);
    }
  });
});
