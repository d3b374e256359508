import { describe, expect, it } from 'vitest';
import { problemsOf } from './import-rules.mjs';

const problems = (graph: Record<string, readonly string[]>) =>
  problemsOf(Object.entries(graph).map(([path, imports]) => ({ path, imports }))).map(({ rule, arrow }) => `${rule}: ${arrow}`);
const at = (path: string): string => `libs/tasks/src/${path}`;

describe('the rules of imports', () => {
  it('let imports go down, within a package and between packages', () => {
    expect(
      problems({
        [at('engine/run.ts')]: [at('domain/state.ts'), at('errors.ts'), '@longhaul/runtime', 'zod', 'node:fs'],
        [at('domain/state.ts')]: [],
        [at('errors.ts')]: [],
        'libs/store-redis/src/tasks/store.ts': ['ioredis', '@longhaul/redis', '@longhaul/tasks'],
        'libs/runtime/src/errors.ts': ['@longhaul/redis/fault'],
        'apps/cli/src/main.ts': ['@longhaul/gateway/config'],
      }),
    ).toEqual([]);
  });

  it('forbid circles of files, of any length, and name their arrows only', () => {
    expect(
      problems({ [at('a.ts')]: [at('b.ts')], [at('b.ts')]: [at('c.ts'), at('d.ts')], [at('c.ts')]: [at('a.ts')], [at('d.ts')]: [] }),
    ).toEqual(
      ['files', 'folders'].flatMap((what) =>
        [
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'a'],
        ].map(([from, to]) => `${what} in circles: ${at(`${from}.ts`)} → ${at(`${to}.ts`)}`),
      ),
    );
  });

  it('forbid circles of folders, also where no file is in one, and of a folder with what lies in it', () => {
    expect(
      problems({
        [at('x/one.ts')]: [at('y/one.ts')],
        [at('y/two.ts')]: [at('x/deep/two.ts')],
        [at('x/deep/two.ts')]: [],
        [at('x/deep/three.ts')]: [at('x/two.ts')],
        [at('y/one.ts')]: [],
        [at('x/two.ts')]: [],
      }),
    ).toEqual([
      `folders in circles: ${at('x')} → ${at('y')}`,
      `folders in circles: ${at('y')} → ${at('x/deep')}`,
      `folders in circles: ${at('x/deep')} → ${at('x')}`,
    ]);
  });

  it('forbid imports of what stands above, beside, or is reached by a path', () => {
    expect(
      problems({
        [at('a.ts')]: ['@longhaul/sessions', 'libs/redis/src/fault.ts'],
        'libs/client/src/index.ts': ['@longhaul/gateway'],
        'apps/gateway/src/main.ts': ['@longhaul/worker', '@longhaul/tasks/limits'],
      }),
    ).toEqual([
      `upward imports: ${at('a.ts')} → @longhaul/sessions`,
      `upward imports: ${at('a.ts')} → libs/redis/src/fault.ts`,
      'upward imports: libs/client/src/index.ts → @longhaul/gateway',
      'upward imports: apps/gateway/src/main.ts → @longhaul/worker',
    ]);
  });

  it('forbid circles of scripts, and imports of scripts by anything else', () => {
    const tools = 'scripts/tools.mjs';
    expect(
      problems({
        [tools]: ['scripts/root.mjs', 'scripts/packages/join.mjs', 'apps/cli/bin/node-version.mjs', 'test/support/python.ts'],
        'scripts/packages/join.mjs': ['scripts/packages/npm.mjs', tools],
        'scripts/packages/npm.mjs': ['scripts/root.mjs'],
        [at('a.ts')]: [tools, 'test/support/python.ts'],
        'test/a.test.ts': [tools],
      }),
    ).toEqual([
      `files in circles: ${tools} → scripts/packages/join.mjs`,
      `files in circles: scripts/packages/join.mjs → ${tools}`,
      `folders in circles: ${tools} → scripts/packages`,
      `folders in circles: scripts/packages → ${tools}`,
      `upward imports: ${at('a.ts')} → ${tools}`,
      `upward imports: ${at('a.ts')} → test/support/python.ts`,
      `imports by path: test/a.test.ts → ${tools}`,
    ]);
  });

  it('let only the store and what connects speak to Redis', () => {
    expect(problems({ [at('engine/a.ts')]: ['ioredis', 'bullmq', '@longhaul/redis'], 'libs/redis/src/a.ts': ['ioredis'] })).toEqual(
      ['ioredis', 'bullmq', '@longhaul/redis'].map((name) => `imports of Redis: ${at('engine/a.ts')} → ${name}`),
    );
  });

  it('let only the store and what opens the file speak to SQLite', () => {
    const imports = ['@longhaul/sqlite', 'node:sqlite'];
    const files = { [at('engine/a.ts')]: imports, 'libs/store-sqlite/src/a.ts': imports, 'libs/sqlite/src/a.ts': ['node:sqlite'] };
    expect(problems(files)).toEqual(imports.map((name) => `imports of SQLite: ${at('engine/a.ts')} → ${name}`));
  });

  it('let tests and measurements import packages by their entries only', () => {
    expect(
      problems({
        'test/stores/contract/a.test.ts': [
          'libs/tasks/src/redis/keys.ts',
          'apps/cli/src/testing.ts',
          'bench/src/port.ts',
          '@longhaul/tasks/testing',
        ],
        'test/stores/contract/b.test.ts': ['test/support/redis.ts', '@longhaul/bench/free-port'],
        'bench/src/main.ts': ['bench/src/port.ts', 'libs/tasks/src/index.ts'],
      }),
    ).toEqual([
      'imports by path: test/stores/contract/a.test.ts → libs/tasks/src/redis/keys.ts',
      'imports by path: test/stores/contract/a.test.ts → apps/cli/src/testing.ts',
      'imports by path: test/stores/contract/a.test.ts → bench/src/port.ts',
      'imports by path: bench/src/main.ts → libs/tasks/src/index.ts',
    ]);
  });

  it('let only tests and scripts import what is for tests', () => {
    expect(
      problems({
        [at('engine/a.ts')]: [at('testing/history.ts')],
        [at('testing/history.ts')]: [at('testing/wait.ts')],
        'apps/cli/src/testing.ts': ['@longhaul/redis/testing'],
        'apps/cli/src/main.ts': ['@longhaul/redis/testing', '@longhaul/redis/address'],
        'test/a.test.ts': ['@longhaul/redis/testing'],
        'scripts/test.mjs': ['@longhaul/redis/testing'],
      }),
    ).toEqual([
      `imports of what is for tests: ${at('engine/a.ts')} → ${at('testing/history.ts')}`,
      'imports of what is for tests: apps/cli/src/main.ts → @longhaul/redis/testing',
    ]);
  });

  it('let neither protocol version import the other', () => {
    const in2025 = 'apps/gateway/src/generation-2025/a.ts';
    const in2026 = 'apps/gateway/src/generation-2026/methods/b.ts';
    expect(
      problems({ [in2025]: [in2026, 'apps/gateway/src/rpc/c.ts'], [in2026]: [], 'apps/gateway/src/open-gateway.ts': [in2025, in2026] }),
    ).toEqual([`imports between protocol versions: ${in2025} → ${in2026}`]);
  });
});
