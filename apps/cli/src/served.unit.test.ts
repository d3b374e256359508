import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteServed, withServed } from './served.js';
import { readSettings } from './settings.js';
import { UserError } from './user-error.js';

const PROXY = '@longhaul/proxy/feature';
let cwd: string;
let said: string[];
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-served-')));
  said = [];
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const terminalOf = (env: NodeJS.ProcessEnv) => ({ env, cwd, out: () => undefined, err: (line: string) => void said.push(line) });

/** What a deployment with this environment notes. */
async function start(given: NodeJS.ProcessEnv): Promise<void> {
  const env = { LONGHAUL_DATA_DIR: '.', ...given };
  await noteServed(readSettings(env, cwd), cwd, (line) => said.push(line));
}

/** What a command with this environment takes to be served. */
async function known(given: NodeJS.ProcessEnv = {}): Promise<readonly (string | undefined)[]> {
  const { env } = await withServed(terminalOf({ LONGHAUL_DATA_DIR: '.', ...given }));
  return [env['LONGHAUL_FEATURES'], env['LONGHAUL_SERVERS']];
}

describe('what a deployment serves', () => {
  it('is known to a command on its data folder, in any folder', async () => {
    writeFileSync(join(cwd, 'tools.ts'), '');
    writeFileSync(join(cwd, 'mcp.json'), '{"mcpServers": {"one": {"command": "one"}}}');
    await start({ LONGHAUL_FEATURES: '@longhaul/everything, tools.ts,./other', LONGHAUL_SERVERS: './mcp.json' });
    expect(await known()).toEqual([`@longhaul/everything,${join(cwd, 'tools.ts')},${join(cwd, 'other')}`, join(cwd, 'mcp.json')]);
    expect(statSync(join(cwd, 'served.json')).mode & 0o777).toBe(0o600);
    await start({});
    expect(await known()).toEqual([undefined, undefined]);
    expect(said).toEqual([]);
  });

  it('is replaced by what the environment of a command says, each for itself', async () => {
    const servers = '{"mcpServers": {"one": {"command": "one"}}}';
    await start({ LONGHAUL_FEATURES: PROXY, LONGHAUL_SERVERS: servers });
    expect(await known({ LONGHAUL_SERVERS: './other.json' })).toEqual([PROXY, './other.json']);
    expect(await known({ LONGHAUL_FEATURES: './tools.ts' })).toEqual(['./tools.ts', servers]);
    expect(await known({ LONGHAUL_SERVERS: '' })).toEqual([PROXY, '']);
    expect(await known({ REDIS_URL: 'redis://127.0.0.1' })).toEqual([undefined, undefined]);
  });

  it('leaves out servers that cannot be read, and says why', async () => {
    await start({ LONGHAUL_SERVERS: '{"mcpServers": {"one": {"command": "one", "env": {"KEY": "${THE_KEY}"}}}}' });
    expect(await known()).toEqual([undefined, undefined]);
    expect(said).toEqual([
      'longhaul: the tools of servers are not known here: LONGHAUL_SERVERS: server "one": env.KEY: THE_KEY is not set',
    ]);
    expect((await known({ THE_KEY: 'k' }))[1]).toContain('THE_KEY');
  });

  it('cannot be read from a damaged file', async () => {
    writeFileSync(join(cwd, 'served.json'), '[');
    await expect(known()).rejects.toThrow(UserError);
  });
});
