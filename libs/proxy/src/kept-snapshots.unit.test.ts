import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseServers, type ServerConfig } from '@longhaul/servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptSnapshots } from './kept-snapshots.js';
import type { Snapshot } from './snapshot.js';

let folder: string;
const warnings: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-kept-'));
  warnings.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = (): string => join(folder, 'deep', 'servers.json');

function config(command: string): ServerConfig {
  const [server] = parseServers(JSON.stringify({ mcpServers: { s: { command } } }), { from: 'x.json', env: {} }).servers;
  if (server === undefined) throw new Error('There is no server.');
  return server;
}

const taken: Snapshot = {
  tools: [{ name: 'a', inputSchema: { type: 'object' }, _meta: { x: 1 } }],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  completes: false,
  readAt: 1,
};

async function read(): Promise<KeptSnapshots> {
  const kept = new KeptSnapshots(path(), (line) => warnings.push(line));
  await kept.read();
  return kept;
}

describe('what servers offered', () => {
  it('is read again as it was, for the same entry of the file of servers', async () => {
    const kept = await read();
    kept.put(config('x'), taken);
    await kept.written();
    expect((await read()).get(config('x'))).toEqual(taken);
    expect((await read()).get(config('y'))).toBeUndefined();
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(warnings).toEqual([]);
  });

  it.each(['', '{', '{"format": 2, "servers": {}}', '{"format": 1, "servers": {"s": {"of": "x", "snapshot": {"tools": [{"name": 7}]}}}}'])(
    'is done without where the file is %j, which is replaced',
    async (text) => {
      const kept = await read();
      kept.put(config('x'), taken);
      await kept.written();
      writeFileSync(path(), text);
      const again = await read();
      expect(again.get(config('x'))).toBeUndefined();
      expect(warnings).toEqual([expect.stringContaining('What servers offered before cannot be read')]);
      again.put(config('x'), taken);
      await again.written();
      expect(JSON.parse(readFileSync(path(), 'utf8'))).toMatchObject({ format: 1 });
    },
  );

  it('is not kept where the file cannot be written, which is said', async () => {
    writeFileSync(join(folder, 'deep'), '');
    const kept = new KeptSnapshots(path(), (line) => warnings.push(line));
    kept.put(config('x'), taken);
    await kept.written();
    expect(warnings).toEqual([expect.stringContaining('What servers offer cannot be kept')]);
  });
});
