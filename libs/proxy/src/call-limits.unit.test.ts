import { parseServers, type ServerConfig } from '@longhaul/servers';
import { describe, expect, it } from 'vitest';
import { CallLimits, ServerBusy } from './call-limits.js';

function server(name: string, more: object): ServerConfig {
  const [config] = parseServers(JSON.stringify({ mcpServers: { [name]: { command: 'x', ...more } } }), { from: 'x', env: {} }).servers;
  if (config === undefined) throw new Error('There is no server.');
  return config;
}

const never = new AbortController().signal;

/** Calls that run until they are ended. */
function held(limits: CallLimits) {
  const running: (() => void)[] = [];
  const run = () => new Promise<void>((resolve) => running.push(resolve));
  const call = (config: ServerConfig, tool: string, settings = {}, signal = never): Promise<void> =>
    limits.during({ config, tool, settings }, signal, run);
  const callOf = (key: string, config: ServerConfig): Promise<void> =>
    limits.during({ config, tool: 'work', tenant: { key, maxRunning: 1 } }, never, run);
  return { running, call, callOf };
}

/** Lets all that can go on do so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('calls of a server', () => {
  it('wait for each other where as many run as may, and those of another server do not', async () => {
    const { running, call } = held(new CallLimits());
    const busy = server('busy', { maxRunning: 2 });
    const calls = [1, 2, 3].map(() => call(busy, 'work'));
    const other = call(server('other', { maxRunning: 1 }), 'work');
    await settled();
    expect(running).toHaveLength(3);
    running.splice(0).forEach((end) => end());
    await Promise.all([calls[0], calls[1], other]);
    await settled();
    expect(running).toHaveLength(1);
    running.forEach((end) => end());
    await calls[2];
  });

  it('of one tool wait without a place of their server', async () => {
    const { running, call } = held(new CallLimits());
    const busy = server('busy', { maxRunning: 2 });
    const calls = [call(busy, 'narrow', { maxRunning: 1 }), call(busy, 'narrow', { maxRunning: 1 }), call(busy, 'wide')];
    await settled();
    expect(running).toHaveLength(2);
    running.splice(0).forEach((end) => end());
    await settled();
    running.forEach((end) => end());
    await Promise.all(calls);
  });

  it('of one tenant wait for each other at all servers, without a place of any, and those of another tenant do not', async () => {
    const { running, callOf } = held(new CallLimits());
    const [one, other] = [server('one', { maxRunning: 2 }), server('other', {})];
    const calls = [callOf('a', one), callOf('a', other), callOf('a', one), callOf('b', one)];
    await settled();
    expect(running).toHaveLength(2);
    for (const _ of calls) {
      running.splice(0).forEach((end) => end());
      await settled();
      expect(running.length).toBeLessThan(2);
    }
    await Promise.all(calls);
  });

  it('are refused where the file says so, and a call that is cancelled waits no longer', async () => {
    const { running, call } = held(new CallLimits());
    const strict = server('strict', { maxRunning: 1, whenBusy: 'refuse' });
    const first = call(strict, 'work');
    await expect(call(strict, 'work')).rejects.toThrow(
      new ServerBusy('The server "strict" has 1 calls running, which is the limit (maxRunning). The call was not made; try again later.'),
    );
    const abort = new AbortController();
    const waiting = call(strict, 'work', { whenBusy: 'wait' }, abort.signal);
    const next = call(strict, 'work', { whenBusy: 'wait' });
    abort.abort(new Error('not needed'));
    await expect(waiting).rejects.toThrow('not needed');
    running.splice(0).forEach((end) => end());
    await first;
    await settled();
    expect(running).toHaveLength(1);
    running.forEach((end) => end());
    await next;
  });
});
