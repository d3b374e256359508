import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Engine } from '../../../test/support/engine.js';
import { defineTool } from './define-tool.js';
import type { DurableContext } from './tool.js';
import { guardWorkflows, whileGuarded } from './workflow-guard.js';

/** Runs a tool in an engine. */
async function play(run: (context: DurableContext) => Promise<unknown>): Promise<unknown> {
  const tool = defineTool({
    name: 'play',
    description: 'Plays.',
    input: z.object({}),
    task: 'required',
    run: async (_args, context) => String(await run(context)),
  });
  const engine = new Engine(async (context, args) => tool.workflow.run(args, context));
  const id = await engine.create();
  await engine.settle();
  return engine.value(id);
}

/** The warnings of a tool. */
async function warningsOf(run: (context: DurableContext) => Promise<unknown>): Promise<readonly string[]> {
  const warnings: string[] = [];
  await whileGuarded(
    ({ message }) => void warnings.push(message),
    () => play(run),
  );
  return warnings;
}

describe('code of a workflow outside of steps', () => {
  it.each<[string, () => unknown, string]>([
    ['Math.random()', () => Math.random(), 'do it in context.step'],
    ['Date.now()', () => Date.now(), 'use context.now(), which is recorded'],
    ['new Date()', () => new Date(), 'use context.now(), which is recorded'],
    // oxlint-disable-next-line new-cap -- What is called as a function says the time too.
    ['new Date()', () => Date(), 'use context.now(), which is recorded'],
    ['performance.now()', () => performance.now(), 'use context.now(), which is recorded'],
    ['crypto.randomUUID()', () => crypto.randomUUID(), 'use context.randomUUID(), which is recorded'],
    ['randomUUID()', () => randomUUID(), 'use context.randomUUID(), which is recorded'],
    ['fetch()', () => fetch('data:text/plain,hello'), 'do it in context.step'],
    ['setTimeout()', () => clearTimeout(setTimeout(() => undefined, 1)), 'use context.sleep, which is recorded'],
    ['setTimeout()', () => wait(1), 'use context.sleep, which is recorded'],
    ['setInterval()', () => clearInterval(setInterval(() => undefined, 1)), 'use context.sleep, which is recorded'],
  ])('is warned of %s, with the tool, the place and what to use', async (used, use, remedy) => {
    const warnings = await warningsOf(async () => void (await use()));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^Tool "play" uses \S+( \S+)? outside of a step, at libs\/mcp-features\/src\/workflow-guard\.unit\.test\.ts:\d+:\d+: /,
    );
    expect(warnings[0]).toContain(` ${used} outside of a step`);
    expect(warnings[0]).toMatch(
      new RegExp(`: a replay gets another value\\. Instead, ${remedy.replaceAll(/[.()]/g, String.raw`\$&`)}\\.$`),
    );
  });

  it('is warned once of each place, also when it runs again', async () => {
    const warnings = await warningsOf(async (context) => {
      for (const name of ['a', 'b']) {
        Math.random();
        await context.sleep(name, 1);
      }
      return Math.random();
    });
    expect(warnings).toHaveLength(2);
  });

  it('is warned after an operation too, in functions that it calls, and in generators', async () => {
    const startedAt = async (context: DurableContext): Promise<number> => {
      await context.step('first', () => 1);
      return Date.now();
    };
    expect(await warningsOf(startedAt)).toHaveLength(1);
  });

  it('may use all of it in a step', async () => {
    const warnings = await warningsOf(async (context) =>
      context.step('all', async () => {
        await fetch('data:text/plain,hello');
        await wait(1);
        return `${Math.random()} ${Date.now()} ${randomUUID()} ${new Date().toISOString()}`;
      }),
    );
    expect(warnings).toEqual([]);
  });

  it('is warned by its place in a file of any name, in a folder of any name', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'longhaul-')), 'tools (of ours)');
    await mkdir(folder);
    const file = join(folder, 'workflow-guard.js');
    await writeFile(file, 'export const draw = () => Math.random();');
    const { draw } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { draw: () => number };
    const [warning] = await warningsOf(async () => draw());
    await rm(folder, { recursive: true });
    expect(warning).toContain(`outside of a step, at ${file}:1:`);
  });

  it('may set a timer that nothing waits for, as the limit of a signal does', async () => {
    const limited = await warningsOf(async () => {
      const timer = setTimeout(() => undefined, 1).unref();
      clearTimeout(timer);
    });
    expect(limited).toEqual([]);
  });

  it('may use the operations of its context, which use time themselves', async () => {
    const warnings = await warningsOf(async (context) => {
      context.status(`At ${context.now()}`);
      context.progress(50);
      context.info('Half of it');
      await context.session.set('name', context.randomUUID());
      context.elicitationComplete('one');
      await context.sleep('nap', 1);
      return context.signal.aborted ? 'aborted' : new Date(context.now()).toISOString();
    });
    expect(warnings).toEqual([]);
  });

  it('is warned of a step name that it uses in two places, but not of one that it uses in a loop', async () => {
    const looping = await warningsOf(async (context) => {
      for (const item of [1, 2]) await context.step('load', () => item);
    });
    expect(looping).toEqual([]);
    const twice = await warningsOf(async (context) => {
      const first = await context.step('load', () => 1);
      return first + (await context.step('load', () => 2));
    });
    expect(twice).toHaveLength(1);
    expect(twice[0]).toMatch(
      /^Tool "play" uses the step name "load" in two places \(libs\S+:\d+:\d+, libs\S+:\d+:\d+\): .* Name them differently\.$/,
    );
  });
});

describe('the guard of workflows', () => {
  it('is off unless it is turned on, and leaves no trace when it is turned off', async () => {
    const before = [Math.random, Date, Date.now, fetch, setTimeout, crypto.randomUUID, new Date().constructor];
    const warnings: string[] = [];
    const end = guardWorkflows(({ tool }) => void warnings.push(tool));
    expect(Date).not.toBe(before[1]);
    expect(new Date()).toBeInstanceOf(Date);
    expect(new Date().constructor).toBe(Date);
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
    await play(async () => Math.random());
    end();
    await play(async () => Math.random());
    expect(warnings).toEqual(['play']);
    expect([Math.random, Date, Date.now, fetch, setTimeout, crypto.randomUUID, new Date().constructor]).toEqual(before);
  });

  it('takes timers that are no objects, as of a clock that somebody has replaced, for ones that are waited for', async () => {
    const { setTimeout: original } = globalThis;
    Reflect.set(globalThis, 'setTimeout', (...args: Parameters<typeof original>) => (args[1] === 7 ? 1 : original(...args)));
    try {
      expect(await warningsOf(async () => void setTimeout(() => undefined, 7))).toHaveLength(1);
    } finally {
      globalThis.setTimeout = original;
    }
  });

  it('is ended by its own end alone, and once', async () => {
    const warnings: string[] = [];
    const note = ({ tool }: { readonly tool: string }): void => void warnings.push(tool);
    const endFirst = guardWorkflows(note);
    const end = guardWorkflows(note);
    endFirst();
    endFirst();
    await play(async () => Math.random());
    end();
    expect(warnings).toEqual(['play']);
  });

  it('leaves alone what somebody has replaced meanwhile', () => {
    const { random } = Math;
    const end = guardWorkflows(() => undefined);
    const own = (): number => 4;
    Math.random = own;
    end();
    expect(Math.random).toBe(own);
    Math.random = random;
  });
});
