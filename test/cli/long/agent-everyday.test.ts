/** Two everyday tasks of an agent, from the question to what is done, with a scripted model and servers as people use them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AgentPlace, calling } from '../support/agent-place.js';
import { ENTRY } from '../support/launcher.js';

const FILESYSTEM = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url));
const PAGES = Array.from({ length: 10 }, (_, at) => `city-${at}`);

let place: AgentPlace;
beforeEach(() => {
  place = new AgentPlace();
});
afterEach(() => place.close());

/** Servers of a file: files of a folder, and a Longhaul with these of the reference servers. */
function servers(folder: string, features: readonly string[], env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const data = join(place.folder, 'data');
  const own = {
    LONGHAUL_FEATURES: features.map((each) => `@longhaul/reference-servers/${each}`).join(','),
    LONGHAUL_DATA_DIR: data,
    ...env,
  };
  const mcpServers = {
    files: { command: process.execPath, args: [FILESYSTEM, folder] },
    longhaul: { command: process.execPath, args: [ENTRY, 'stdio'], env: own },
  };
  return { LONGHAUL_AGENT_SERVERS: JSON.stringify({ mcpServers }), LONGHAUL_AGENT_MAX_ROUNDS: '10' };
}

/** The results of the latest calls that the model received. */
function resultsIn(body: object): readonly string[] {
  const { messages } = body as { messages: readonly { role: string; content: string }[] };
  const from = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(from + 1).map(({ content }) => content);
}

it('fixes a failing test of a small repository, and commits that', async () => {
  const repository = join(place.folder, 'sums');
  mkdirSync(repository);
  writeFileSync(join(repository, 'sum.mjs'), 'export const sum = (a, b) => a - b;\n');
  const test = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from './sum.mjs';\ntest('sums', () => assert.equal(sum(2, 3), 5));\n`;
  writeFileSync(join(repository, 'sum.test.mjs'), test);
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: repository, encoding: 'utf8', stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test User');
  git('config', 'user.email', 'test@example.com');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Begin');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const testRun = (): number | null => spawnSync(process.execPath, ['--test'], { cwd: repository, env }).status;
  expect(testRun()).toBe(1);
  const path = join(repository, 'sum.mjs');
  const edits = [{ oldText: 'a - b', newText: 'a + b' }];
  await place.script([
    calling(['read_multiple_files', { paths: [path, join(repository, 'sum.test.mjs')] }], ['git_status', { repo_path: repository }]),
    calling(['edit_file', { path, edits }]),
    calling(['git_diff_unstaged', { repo_path: repository }]),
    calling(['git_add', { repo_path: repository, files: ['sum.mjs'] }]),
    calling(['git_commit', { repo_path: repository, message: 'Add in place of subtracting' }]),
    { content: 'The sum was a difference. It is fixed and committed.' },
  ]);
  const outcome = await place.outcome(
    ['--yes', 'The test fails. Fix it and commit that.'],
    servers(repository, ['git'], { LONGHAUL_GIT_ROOTS: repository }),
  );
  expect(outcome).toMatchObject({ code: 0, outcome: 'answered', rounds: 6 });
  expect(testRun()).toBe(0);
  expect(git('log', '--format=%s')).toBe('Add in place of subtracting\nBegin\n');
  expect(git('status', '--short')).toBe('');
  const results = place.endpoint.requests.map(({ body }) => resultsIn(body));
  expect(results[1]?.[0]).toContain('sum(2, 3)');
  expect(results[3]?.[0]).toContain('+export const sum = (a, b) => a + b;');
});

it('summarises ten pages into a graph that stays', async () => {
  const site = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html').end(`<h1>${url.slice(1)}</h1><p>It has ${url.length * 1_000} people.</p>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = site.address() as AddressInfo;
    await place.script(({ body, number }) => {
      if (number === 1) return calling(...PAGES.map((page) => ['fetch', { url: `http://127.0.0.1:${port}/${page}` }] as const));
      if (number === 2) {
        const entities = resultsIn(body).map((text, at) => ({
          name: PAGES[at] ?? '',
          entityType: 'city',
          observations: [/It has \d+ people/.exec(text)?.[0] ?? 'Not read'],
        }));
        const relations = PAGES.slice(1).map((to) => ({ from: PAGES[0] ?? '', to, relationType: 'comes before' }));
        return calling(['create_entities', { entities }], ['create_relations', { relations }]);
      }
      if (number === 4) return calling(['read_graph']);
      return { content: number === 3 ? 'All ten are in the graph.' : 'It is all there.' };
    });
    const env = servers(place.folder, ['fetch', 'memory'], { LONGHAUL_FETCH_ALLOW_PRIVATE: '1', LONGHAUL_FETCH_IGNORE_ROBOTS: '1' });
    expect(await place.outcome(['--yes', 'Summarise these ten pages in the graph.'], env)).toMatchObject({ code: 0, outcome: 'answered' });
    // A later command, with other processes, finds it.
    expect(await place.outcome(['--yes', 'What is in the graph?'], env)).toMatchObject({ code: 0, outcome: 'answered' });
    const graph = resultsIn(place.endpoint.requests[4]?.body ?? {})[0] ?? '';
    for (const page of PAGES) expect(graph).toContain(page);
    expect(graph.match(/It has 7000 people/g)?.length).toBeGreaterThanOrEqual(PAGES.length);
    expect(graph.match(/comes before/g)?.length).toBeGreaterThanOrEqual(PAGES.length - 1);
  } finally {
    site.close();
    site.closeAllConnections();
  }
});
