/** Tests the bundle for desktop clients: it is made, unpacked and started as its manifest says. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workplace } from '../../cli/support/launcher.js';
import { connectStdio } from '../../cli/support/stdio-client.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const BUILD_LIMIT_MS = 300_000;

let place: Workplace;
let unpacked: string;
let files: Record<string, Uint8Array>;

beforeAll(async () => {
  place = new Workplace();
  unpacked = join(place.folder, 'bundle');
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/bundle.mjs'], { cwd: repository });
  files = unzipSync(readFileSync(join(repository, /^(\S+\.mcpb)/m.exec(stdout)?.[1] ?? '')));
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(unpacked, path)), { recursive: true });
    writeFileSync(join(unpacked, path), bytes);
  }
}, BUILD_LIMIT_MS);
afterAll(() => place.close());

test('it has nothing that depends on the system', () => {
  expect(Object.keys(files).filter((path) => /\.(node|so|dylib|dll|exe)$/.test(path))).toEqual([]);
});

test.each([
  '@longhaul/everything',
  '@longhaul/reference-servers/memory,@longhaul/reference-servers/fetch,@longhaul/reference-servers/time',
])('with %s it starts in a bare environment and serves tools', async (features) => {
  const manifest = JSON.parse(new TextDecoder().decode(files['manifest.json'])) as {
    server: { mcp_config: { args: string[]; env: Record<string, string> } };
  };
  const { args, env } = manifest.server.mcp_config;
  const filled = (text: string): string => text.replaceAll('${__dirname}', unpacked).replaceAll('${user_config.features}', features);
  const settings = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
  const { client, close } = await connectStdio(place, {
    command: [process.execPath, ...args.map(filled)],
    env: { ...settings, PATH: '/usr/bin:/bin', LONGHAUL_DATA_DIR: '' },
  });
  expect((await client.listTools()).tools.length).toBeGreaterThan(3);
  await close();
});
