import { describe, expect, it } from 'vitest';
import { listServers, restartServer, showServer, switchServer } from './proxied-servers.js';
import { scriptedContext } from './verb-context.fixture.js';

const MEASURED = { calls: 4, errors: 1, running: 0, p50Ms: 11.6, p99Ms: 250 };
const OFF = { by: 'operator:ada', reason: 'it is slow', at: '2026-11-26T12:00:00.000Z' };
const SERVER = {
  name: 'files 🌙',
  transport: 'stdio',
  shown: 'node files.js',
  state: 'away',
  since: '2026-11-26T11:00:00.000Z',
  restarts: 2,
  lastError: 'exited with 4\nno disk',
  lastErrorAt: '2026-11-26T11:00:00.000Z',
  about: { name: 'files', version: '1.2', protocolVersion: '2025-11-25' },
  connections: 1,
  ...MEASURED,
  tools: 2,
  toolsOff: ['write'],
  processes: [{ process: 'one', role: 'gateway', isKept: true, state: 'connected', since: 't', restarts: 0, connections: 1, ...MEASURED }],
};
const SHOWN = {
  ...SERVER,
  tools: [
    { name: 'read', ...MEASURED },
    { name: 'write', off: OFF, calls: 0, errors: 0, running: 0 },
  ],
  toolsLeftOut: 0,
};
const PATH = '/servers/files%20%F0%9F%8C%99';
const reason = 'the disk is full';

describe('proxied servers', () => {
  it('are listed, with why one is away or off', async () => {
    const context = scriptedContext(() => ({ servers: [SERVER, { ...SERVER, name: 'other', state: 'off', off: OFF }] }), {});
    expect(await listServers(context)).toBe(0);
    expect(context.asked).toEqual(['GET /servers']);
    expect(context.out[1]).toMatch(/files 🌙 +away for .+ +1\.2 +1 +2 +4 +1 +12 ms +250 ms +exited with 4.*no disk; off: write/);
    expect(context.out[2]).toMatch(/other +off for .*off by operator:ada: it is slow/);
  });

  it('are shown with their processes and tools', async () => {
    const context = scriptedContext(() => SHOWN, { words: ['files 🌙'] });
    expect(await showServer(context)).toBe(0);
    expect(context.asked).toEqual([`GET ${PATH}`]);
    const printed = context.out.join('\n');
    expect(printed).toMatch(/gateway one +connected since t; 4 calls, 1 errors, 0 running, p50 12 ms, p99 250 ms/);
    expect(printed).toMatch(/tool write +off by operator:ada: it is slow; 0 calls/);
    expect(printed).toMatch(/calls itself +files, 1\.2, protocol version 2025-11-25/);
  });

  it('are restarted, and turned off and on, as a whole and by tool, with a reason', async () => {
    const sent: unknown[] = [];
    const answer = (request: string, body: unknown) => {
      if (request === 'GET /servers') return { servers: [SERVER, { ...SERVER, name: 'files' }] };
      sent.push(body);
      return SHOWN;
    };
    const run = (target: string) => scriptedContext(answer, { words: [target], flags: { reason } });
    const [restart, off, on] = [run('files 🌙'), run('files 🌙/a/b'), run('files 🌙')];
    await restartServer(restart);
    await switchServer(off, 'off');
    await switchServer(on, 'on');
    expect([restart, off, on].flatMap(({ asked }) => asked)).toEqual([
      `POST ${PATH}/restart`,
      'GET /servers',
      `POST ${PATH}/off`,
      `POST ${PATH}/on`,
    ]);
    expect(sent).toEqual([{ reason }, { reason, tool: 'a/b' }, { reason }]);
    expect(off.out).toEqual(['tool a/b of files 🌙 is off']);
    expect(on.out).toEqual(['files 🌙 is on']);
  });

  it('may have slashes in their names', async () => {
    const servers = ['a', 'a/b'].map((name) => ({ ...SERVER, name }));
    const asked = await Promise.all(
      ['a/b', 'a/b/c', 'a/c'].map(async (target) => {
        const bodies: unknown[] = [];
        const respond = (request: string, body: unknown) => (request === 'GET /servers' ? { servers } : (bodies.push(body), SHOWN));
        const context = scriptedContext(respond, { words: [target], flags: { reason } });
        await switchServer(context, 'on');
        return [context.asked.at(-1), ...bodies];
      }),
    );
    expect(asked).toEqual([
      ['POST /servers/a%2Fb/on', { reason }],
      ['POST /servers/a%2Fb/on', { reason, tool: 'c' }],
      ['POST /servers/a/on', { reason, tool: 'c' }],
    ]);
  });

  it.each([
    ['/write', { reason }, 'write NAME, or NAME/TOOL'],
    ['files/', { reason }, 'write NAME, or NAME/TOOL'],
    ['files', {}, '--reason is missing'],
  ])('%j is refused: %j', async (target, flags, said) => {
    await expect(
      switchServer(
        scriptedContext(() => ({ servers: [] }), { words: [target], flags }),
        'off',
      ),
    ).rejects.toThrow(said);
  });
});
