/**
 * Checks that the tests of a tool in writing-features.md run with both runners, and that its linter settings find the described mistakes.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { section } from './documents.js';
// With Vitest, its tests are tests of this file.
import '../../docs/examples/await-payment.test.js';
import '../../docs/examples/book-trip.test.js';
import '../../docs/examples/charge-order.test.js';
import '../../docs/examples/collect-changes.test.js';
import '../../docs/examples/plan-trip.test.js';
import '../../docs/examples/resize-photos.test.js';
import '../../docs/examples/summarize.test.js';
import '../../docs/examples/write-book.test.js';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;

describe('the test of a tool for the test runner of Node', () => {
  it('passes, and its process ends by itself', async () => {
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'docs/examples/charge-order.node-test.ts'], {
      cwd: root,
    });
    expect(stdout).toContain('ok 1 - charges when the bank is away for a moment');
    expect(stdout).toContain('# fail 0');
  });
});

const FORGETFUL = `import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const tool = defineTool({
  name: 'forgetful',
  description: 'Forgets to await.',
  input: z.object({}),
  task: 'required',
  async run(_args, context) {
    context.step('dropped', () => 1);
    void context.sleep('void', 1);
    const kept = context.step('kept', () => 1);
    [1, 2].map((item) => context.step(\`mapped \${item}\`, () => item));
    [1, 2].forEach(async (item) => { await context.step(\`each \${item}\`, () => item); });
    if (context.session.get('condition')) return 'no';
    context.elicit(z.object({ ok: z.boolean() }), 'ok?');
    await context.step('fine', () => 1);
    await Promise.all([1, 2].map((item) => context.step(\`fine \${item}\`, () => item)));
    return context.step('fine too', () => 'done');
  },
});
`;

const TYPES = { target: 'ES2024', module: 'NodeNext', moduleResolution: 'NodeNext', strict: true, skipLibCheck: true, noEmit: true };

describe('the settings of the linter', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhaul-lint-'));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const settings = /```json\n([\s\S]*?)```/.exec(section('docs/testing-tools.md', 'Find a missing await'))?.[1] ?? '';
    await writeFile(join(folder, '.oxlintrc.json'), settings);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...TYPES, types: ['node'] }, include: ['*.ts'] }));
    await writeFile(join(folder, 'forgetful.ts'), FORGETFUL);
    await writeFile(join(folder, 'fine.ts'), "import { test } from 'node:test';\ntest('of Node', async () => {});\n");
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('find each way to forget an await, and nothing else', async () => {
    const failed: unknown = await run(
      join(root, 'node_modules/.bin/oxlint'),
      ['--type-aware', '--format=json', 'forgetful.ts', 'fine.ts'],
      {
        cwd: folder,
      },
    ).catch((error: unknown) => error);
    const { diagnostics } = JSON.parse((failed as { readonly stdout: string }).stdout) as {
      readonly diagnostics: readonly { readonly code: string; readonly labels: readonly { readonly span: { readonly line: number } }[] }[];
    };
    const lines = FORGETFUL.split('\n');
    const found = diagnostics.map(({ code, labels: [label] }) => [
      /'(\w+)|`(\w+)/.exec(lines[(label?.span.line ?? 0) - 1] ?? '')?.[0].slice(1),
      code,
    ]);
    const rule = (name: string): string => `typescript(${name})`;
    expect(Object.fromEntries(found)).toEqual({
      dropped: rule('no-floating-promises'),
      void: rule('no-floating-promises'),
      kept: 'eslint(no-unused-vars)',
      mapped: rule('no-floating-promises'),
      each: rule('no-misused-promises'),
      condition: rule('no-misused-promises'),
      ok: rule('no-floating-promises'),
    });
  });
});
