/** Tests that a tool that loops without yielding ends the process of its test, with a message that says where. A slow tool does not. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;

const MAX_BLOCK_MS = 1_000;

/** A test of a tool that runs this, with `loopForEver` and `block`, which computes for twice the limit. */
const testOf = (runner: 'node:test' | 'vitest', body: string): string => `
import { execFileSync } from 'node:child_process';
import { test } from '${runner}';
import { defineTool } from '@longhaul/mcp-features';
import { runTool } from '@longhaul/mcp-features/testing';
import { z } from 'zod';

function loopForEver() {
  for (;;);
}
function block(ms) {
  for (const end = performance.now() + ms; performance.now() < end; );
}
const MAX_BLOCK_MS = ${MAX_BLOCK_MS};
const toolOf = (run) => defineTool({ name: 'trial', description: 'Tries.', input: z.object({}), task: 'optional', run });
const runTrial = (run) => runTool(toolOf(run), {}, { maxBlockMs: MAX_BLOCK_MS });

test('the tool', async () => {
  ${body}
});
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-loops-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true }));

/** How a test ended, and all that it wrote. */
async function outcomeOf(command: readonly string[]): Promise<{ readonly passed: boolean; readonly output: string }> {
  const { NODE_OPTIONS: _, VITEST: __, NODE_TEST_CONTEXT: ___, ...env } = process.env;
  return run(process.execPath, command, { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ passed: true, output: stdout + stderr }),
    (error: unknown) => {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      return { passed: false, output: stdout + stderr };
    },
  );
}

async function testWithNode(name: string, body: string): Promise<{ readonly passed: boolean; readonly output: string }> {
  const file = join(folder, `${name}.test.mjs`);
  await writeFile(file, testOf('node:test', body));
  return outcomeOf(['--test', file]);
}

describe('a tool that loops without yielding', () => {
  it.each([
    [
      'in a step',
      `await runTrial(async (_, context) => {
         await context.step('load', () => 1);
         await context.step('count', async () => {
           await undefined;
           try { loopForEver(); } catch {}
         });
         return 'done';
       });`,
      'step "count" has run for',
    ],
    [
      'before its first operation',
      `await runTrial(async () => loopForEver());`,
      'its code outside of steps (before its first operation) has',
    ],
    [
      'after an operation',
      `await runTrial(async (_, context) => { await context.step('load', () => 1); loopForEver(); });`,
      'its code outside of steps (after "load") has run for',
    ],
    [
      'in a timer of a step',
      `await runTrial((_, context) => context.step('later', () => new Promise(() => setTimeout(loopForEver, 1))));`,
      'step "later" has run for',
    ],
  ])('ends its test %s, with the stack of the loop', async (name, body, where) => {
    const { passed, output } = await testWithNode(`loop ${name}`, body);
    expect(passed).toBe(false);
    expect(output).toContain(`Error: Tool "trial": ${where}`);
    expect(output).toMatch(/at loopForEver \(.*\.test\.mjs/);
  });

  it('ends its test in Vitest too', async () => {
    await writeFile(join(folder, 'loop.vitest.mjs'), testOf('vitest', `await runTrial((_, { step }) => step('count', loopForEver));`));
    await writeFile(join(folder, 'vitest.config.mjs'), `export default { test: { include: ['*.vitest.mjs'] } };`);
    const { passed, output } = await outcomeOf([join(root, 'node_modules/vitest/vitest.mjs'), 'run']);
    expect(passed).toBe(false);
    expect(output).toContain('Error: Tool "trial": step "count" has run for');
    expect(output).toMatch(/at loopForEver \(.*loop\.vitest\.mjs/);
  });
});

describe('a tool that is slow and ends', () => {
  it('passes with work that is shorter than the limit each time, with one call that blocks for longer, and while its test computes', async () => {
    const body = `
  await runTrial(async (_, context) => {
    for (let part = 0; part < 6; part += 1) await context.step('part', () => block(MAX_BLOCK_MS / 4));
    return 'done';
  });
  const program = \`setTimeout(() => undefined, \${2 * MAX_BLOCK_MS})\`;
  await runTrial((_, { step }) => step('wait', () => String(execFileSync(process.execPath, ['-e', program]))));
  const run = runTrial((_, { step }) => step('wait', () => new Promise((resolve) => setTimeout(resolve, 10, 'done'))));
  block(2 * MAX_BLOCK_MS);
  await run;`;
    const { passed, output } = await testWithNode('slow', body);
    expect(output).not.toContain('without yielding');
    expect(passed).toBe(true);
  });
});
