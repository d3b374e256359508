import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ENTRY, Workplace } from './support/launcher.js';

let place: Workplace;

beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.close());

const OLD_NODE = '/usr/bin/node';

interface Output {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function execute(program: string, args: readonly string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile(program, args, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });
}

describe('the command line', () => {
  test('prints the version of the package', async () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

    expect(await place.run(['--version']).ended).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  test('prints its commands and settings as help', async () => {
    const { code, stdout } = await place.run(['--help']).ended;

    expect(code).toBe(0);
    expect(stdout).toContain('Usage: longhaul');
    expect(stdout).toMatch(/^ {2}start /m);
    expect(stdout).toMatch(/^ {2}stdio /m);
    expect(stdout).toContain('LONGHAUL_DATA_DIR');
  });

  test('prints what a command takes', async () => {
    const { code, stdout } = await place.run(['start', '--help']).ended;

    expect(code).toBe(0);
    expect(stdout).toMatch(/^longhaul start \[MODULE…\] \[flags\]\n.*\n +--watch +start again/);
  });

  test('keeps what it has compiled for the next start', async () => {
    const kept = fileURLToPath(new URL('../../node_modules/.cache/longhaul', import.meta.url));
    rmSync(kept, { recursive: true, force: true });
    await place.run(['--version'], { NODE_COMPILE_CACHE: undefined }).ended;

    expect(readdirSync(kept, { recursive: true }).length).toBeGreaterThan(2);
  });

  test.each([
    { args: ['strat'], line: /^longhaul: unknown command "strat".*start.*\n$/ },
    {
      args: ['start', '--port=1'],
      line: /^longhaul: Unknown option '--port' \(usage: longhaul start \[MODULE…\] \[flags\]; .*settings are environment variables.*\)\n$/,
    },
    { args: ['stdio', '--watch'], line: /^longhaul: Unknown option '--watch' \(usage: longhaul stdio \[MODULE…\]; .*\)\n$/ },
    { args: ['operator', 'now'], line: /^longhaul: unexpected "now" \(usage: longhaul operator; .*\)\n$/ },
    { args: ['memory'], line: /^longhaul: there is: memory import, memory export \(see longhaul memory --help\)\n$/ },
    { args: ['memory', 'import'], line: /^longhaul: FILE is missing \(usage: longhaul memory import FILE \[flags\]; .*\)\n$/ },
    { args: ['start', 'a,b'], line: /^longhaul: a module cannot have a comma in its name, got "a,b"\n$/ },
  ])('answers $args with one line and exit code 2', async ({ args, line }) => {
    const { code, stdout, stderr } = await place.command(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(line);
  });

  test('says in one line that it is not built', async () => {
    await mkdir(join(place.folder, 'bin'));
    for (const file of ['longhaul.mjs', 'node-version.mjs']) await copyFile(join(dirname(ENTRY), file), join(place.folder, 'bin', file));
    const { code, stderr } = await execute(process.execPath, [join(place.folder, 'bin', 'longhaul.mjs')]);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Longhaul is not built yet: .*npm run build.*\n$/);
  });
});

describe('on a Node that is too old', () => {
  const line = /^Longhaul needs Node 22\.18 or newer, this is Node 20\.\S+: .*npm start.*\n$/;

  test('the command says in one line which Node it needs and how to get it', async () => {
    const script = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });
      import(${JSON.stringify(pathToFileURL(ENTRY).href)});`;
    const { code, stdout, stderr } = await execute(process.execPath, ['-e', script]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(line);
  });

  test("the machine's own Node runs it or is refused in one line", async () => {
    const node = existsSync(OLD_NODE) ? OLD_NODE : process.execPath;
    const [major = 0] = (await execute(node, ['-p', 'process.versions.node'])).stdout.split('.').map(Number);
    const { code, stderr } = await execute(node, [ENTRY, '--version']);

    expect(code).toBe(major < 22 ? 1 : 0);
    expect(stderr).toMatch(major < 22 ? /^Longhaul needs Node 22\.18 or newer, this is Node .*\n$/ : /^$/);
  });
});
