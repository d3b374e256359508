import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { waitUntil } from '../../../../test/support/wait-until.js';
import type { AppProcess, LauncherMessage, ReadyMessage } from './app-process.js';
import { keepApp } from './kept-app.js';

interface FakeApp extends AppProcess {
  /** As if it ended by itself. */
  readonly end: (how: string) => void;
  readonly beReady: (message: ReadyMessage) => void;
  readonly fail: (error: Error) => void;
  readonly told: readonly LauncherMessage[];
}

function fakeApp(): FakeApp {
  const ended = Promise.withResolvers<string>();
  const ready = Promise.withResolvers<ReadyMessage>();
  const told: LauncherMessage[] = [];
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
    tell: (message) => void told.push(message),
    told,
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
  const troubles: boolean[] = [];
  const onTrouble = (isInTrouble: boolean): void => void troubles.push(isInTrouble);
  const app = keepApp({ start, signal: new AbortController().signal, log, onTrouble, pauseMs: 1, clock: () => now });
  const started = (count: number) => waitUntil(() => apps.length === count, { description: `it is started ${count} times` });
  return { app, apps, lines, troubles, started, pass: (ms: number) => void (now += ms) };
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

  it('is replaced by another one that has loaded everything, and is not started again when it ends thereby', async () => {
    const { app, apps, lines } = kept();
    apps[0]?.beReady({ type: 'ready' });
    await app.ready;
    const replacement = app.replacement();
    apps[1]?.beReady({ type: 'ready' });
    await replacement.loaded;
    await replacement.takeOver(1_000);
    expect(await apps[0]?.ended).toBe('exit code 0');
    await delay(QUIET_MS);
    expect({ count: apps.length, lines }).toEqual({ count: 2, lines: [] });
  });

  it('is started again when it ends after it has replaced another one', async () => {
    const { app, apps, started } = kept();
    apps[0]?.beReady({ type: 'ready' });
    await app.ready;
    const replacement = app.replacement();
    apps[1]?.beReady({ type: 'ready' });
    await replacement.takeOver(1_000);
    await delay(QUIET_MS);
    apps[1]?.end('SIGKILL');
    await started(3);
  });

  it('stays when the one that was to replace it cannot load everything', async () => {
    const { app, apps, lines } = kept();
    apps[0]?.beReady({ type: 'ready' });
    await app.ready;
    const replacement = app.replacement();
    apps[1]?.fail(new Error('a syntax error'));
    await expect(replacement.loaded).rejects.toThrow('a syntax error');
    replacement.drop();
    expect(await apps[1]?.ended).toBe('SIGKILL');
    await delay(QUIET_MS);
    expect({ count: apps.length, lines }).toEqual({ count: 2, lines: [] });
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

  it('is started again however often it ends, later and later, and says that it is in trouble until it has run for a while', async () => {
    const { apps, lines, troubles, started } = kept();
    apps[0]?.beReady({ type: 'ready' });
    for (let count = 0; count < 9; count += 1) {
      await started(count + 1);
      expect(troubles.includes(true)).toBe(count > 5);
      apps[count]?.end('exit code 1');
    }
    await started(10);
    expect(lines.slice(4)).toEqual([
      'the gateway has ended (exit code 1) and is started again',
      ...[6, 7, 8, 9].map(
        (count) =>
          `the gateway has ended ${count} times within 60 s (now with exit code 1): it is started again in ${Math.min(2 ** (count - 1), 100) / 1_000} s, and the rest continues`,
      ),
    ]);
    expect(troubles.at(-1)).toBe(true);
    apps[9]?.beReady({ type: 'ready' });
    await waitUntil(() => troubles.at(-1) === false, { description: 'it runs again' });
  });

  it('is told what was said last, also when it is another one by then', async () => {
    const { app, apps, started } = kept();
    apps[0]?.beReady({ type: 'ready' });
    app.tell({ type: 'worker', isFailing: true });
    apps[0]?.end('SIGKILL');
    await started(2);
    const replacement = app.replacement();
    apps[1]?.beReady({ type: 'ready' });
    apps[2]?.beReady({ type: 'ready' });
    await replacement.takeOver(1_000);
    for (const each of apps) expect(each.told).toEqual([{ type: 'worker', isFailing: true }]);
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
