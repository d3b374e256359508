/** Tests all five reference servers in one `longhaul stdio`, as docs/reference-servers.md configures it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { section, tableRows, textOf } from '../docs/documents.js';
import { Workplace } from './support/launcher.js';
import { connectStdio, type StdioClient } from './support/stdio-client.js';

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const [, configured = ''] = textOf('docs/reference-servers.md').match(/^\{\n {2}"mcpServers"[\s\S]+?\n\}$/gm) ?? [];
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const { longhaul } = (JSON.parse(configured.replaceAll('/path/to/longhaul', root)) as { mcpServers: { longhaul: Entry } }).mcpServers;

describe('the five reference servers in one', () => {
  const roots = mkdtempSync(join(tmpdir(), 'longhaul-roots-'));
  const web = createServer((_request, response) => response.setHeader('content-type', 'text/plain').end('a page'));
  let place: Workplace;
  let stdio: StdioClient;

  const connect = (): Promise<StdioClient> =>
    connectStdio(place, {
      command: [longhaul.command, ...longhaul.args],
      env: {
        ...longhaul.env,
        // Not the variables of the machine on which this runs.
        LONGHAUL_DATA_DIR: join(place.folder, 'data'),
        LONGHAUL_GIT_ROOTS: roots,
        LONGHAUL_FETCH_ALLOW_PRIVATE: '1',
        LONGHAUL_FETCH_IGNORE_ROBOTS: '1',
      },
    });

  beforeAll(async () => {
    execFileSync('git', ['init', '-q', roots]);
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    place = new Workplace();
    stdio = await connect();
  });
  afterAll(async () => {
    await stdio.close();
    await place.close();
    web.close();
    rmSync(roots, { recursive: true });
  });

  test('are listed, and each of them works', async () => {
    const listed = tableRows(section('docs/features.md', 'Other reference servers')).flatMap(([, names = '']) => names.split(', '));
    const { tools } = await stdio.client.listTools();
    expect(listed.length).toBeGreaterThan(20);
    // The client does not follow tasks, so it is listed the tools that stand in for them, too.
    expect(
      tools
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('task_'))
        .toSorted(),
    ).toEqual(listed.toSorted());
    const call = async (name: string, args: Record<string, unknown>): Promise<string> =>
      JSON.stringify(await stdio.client.callTool({ name, arguments: args }));
    expect(await call('fetch', { url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/` })).toContain('a page');
    expect(await call('git_status', { repo_path: roots })).toContain('Repository status:');
    expect(await call('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: [] }] })).toContain('Ada');
    const thought = { thought: 'Hm.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect(await call('sequentialthinking', thought)).toContain('"thoughtHistoryLength":1');
    expect(await call('get_current_time', { timezone: 'UTC' })).toContain('"is_dst":false');
  });

  test('keep the graph for the next start', async () => {
    await stdio.close();
    stdio = await connect();
    expect(JSON.stringify(await stdio.client.callTool({ name: 'read_graph', arguments: {} }))).toContain('Ada');
  });
});
