/** Tests that the conveniences of a durable tool's context do not hide that an operation was never awaited. */
import { withClientContext } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Engine, type Run } from '../../support/engine.js';

const form = z.object({ name: z.string() });

async function outcomeOf(run: Run) {
  const engine = new Engine(run);
  const id = await engine.create();
  await engine.settle();
  return engine.outcome(id);
}

describe('a durable tool that forgets to await', () => {
  it.each<[string, (context: ReturnType<typeof withClientContext<Parameters<Run>[0]>>) => Promise<unknown>]>([
    ['elicit', (context) => context.elicit(form, 'Who are you?')],
    ['sample', (context) => context.sample('Say hello')],
    ['listRoots', (context) => context.roots()],
    ['step "save"', (context) => context.step('save', () => 1)],
  ])('%s fails by its name', async (name, start) => {
    const outcome = await outcomeOf(async (context) => {
      void start(withClientContext(context));
      return 'done';
    });
    expect(outcome).toMatchObject({ kind: 'error', error: { data: { reason: 'UNAWAITED' } } });
    expect(JSON.stringify(outcome)).toContain(`without having awaited ${JSON.stringify(name).slice(1, -1)}`);
  });

  it('gets the error of a form that cannot be, where it awaits it', async () => {
    const outcome = await outcomeOf(async (context) =>
      withClientContext(context)
        .elicit(z.object({ nested: z.object({}) }))
        .catch((error: Error) => error.message),
    );
    expect(outcome).toMatchObject({ kind: 'result', result: { value: expect.stringContaining('"nested"') as string } });
  });
});
