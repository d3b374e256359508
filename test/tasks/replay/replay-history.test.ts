/** Tests that recorded histories are compared with code, without running any of its steps. */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { defineTool } from '@longhaul/mcp-features';
import { createOwnerContexts } from '@longhaul/sessions';
import type { TaskEvent, Workflow } from '@longhaul/tasks';
import { replayHistory, type ReplayVerdict } from '@longhaul/tasks/simulation';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { historyWorkflows } from '../../fixtures/history-workflows.js';
import { readHistories } from '../../fixtures/record-histories.js';

async function replay(events: readonly TaskEvent[], workflow: Workflow | undefined): Promise<ReplayVerdict> {
  if (workflow === undefined) throw new Error('There is no such workflow.');
  const store = openMemoryStore();
  const owners = createOwnerContexts(store, (error) => {
    throw error;
  });
  try {
    return await replayHistory({
      store,
      taskId: 'task',
      events,
      workflow,
      sessionValues: store.sessionState,
      owners,
      patienceMs: 2_000,
    });
  } finally {
    await store.close();
  }
}

function eventsOf(name: string): readonly TaskEvent[] {
  const history = readHistories().get(name);
  if (history === undefined) throw new Error(`There is no history "${name}".`);
  return history.events;
}

/** A workflow that notes the steps that it runs. */
function greeting(run: (step: (name: string) => Promise<string>, ask: () => Promise<unknown>) => Promise<string>) {
  const ran: string[] = [];
  const tool = defineTool({
    name: 'greeting',
    description: 'Greets.',
    input: z.object({}),
    task: 'required',
    run: (_, context) =>
      run(
        (name) =>
          context.step(name, () => {
            ran.push(name);
            return name;
          }),
        () => context.elicit({ message: 'Which tone?', requestedSchema: { type: 'object', properties: { it: { type: 'string' } } } }),
      ),
  });
  return { workflow: tool.workflow, ran };
}

describe('a history that has ended', () => {
  it.each(['research-answered', 'steps-with-retries', 'parallel-inputs', 'race-answered', 'race-timed-out', 'failed-workflow'])(
    '%s fits the code that has recorded it',
    async (name) => {
      const { tool } = readHistories().get(name)!;
      expect(await replay(eventsOf(name), historyWorkflows(tool))).toMatchObject({ fits: true });
    },
  );

  it('cannot be compared when it refers to a large value, which is not in it', async () => {
    await expect(replay(eventsOf('large-values'), historyWorkflows('large-values'))).rejects.toThrow('event 4 refers to one');
  });

  it('does not fit code that calls one more operation, or ends otherwise', async () => {
    const events = eventsOf('race-answered');
    const last = events.length;
    const race = historyWorkflows('race')!;
    const longer: Workflow = {
      ...race,
      run: async (args, context) => [await race.run(args, context), await context.step('notify', () => 1)][0] as never,
    };
    expect(await replay(events, longer)).toEqual({
      fits: false,
      called: 'notify',
      version: last,
      message: `The workflow calls "notify" where the history has come to its end (version ${last}).`,
    });
    const other: Workflow = { ...race, run: async (args, context) => ({ ...(await race.run(args, context)), other: true }) };
    expect(await replay(events, other)).toMatchObject({
      fits: false,
      version: last,
      message: expect.stringContaining('ends otherwise') as string,
    });
  });
});

describe('a history that goes on', () => {
  it('fits code that waits where it does, or would go on', async () => {
    expect(await replay(eventsOf('change-before'), historyWorkflows('greeting-changed'))).toMatchObject({ fits: true });
    expect(await replay(eventsOf('half-way'), historyWorkflows('half-way'))).toMatchObject({
      fits: true,
      message: expect.stringContaining('waits') as string,
    });
    const { workflow, ran } = greeting(async (step) => `${await step('look up')} ${await step('greet')}`);
    const beforeTheQuestion = eventsOf('change-before').filter(({ data }) => !('key' in data) || data.key === 'look up');
    const upToStep = beforeTheQuestion.slice(0, beforeTheQuestion.findIndex(({ type }) => type === 'StepCompleted') + 1);
    expect(await replay(upToStep, workflow)).toMatchObject({ fits: true, called: 'greet' });
    expect(ran).toEqual([]);
  });

  it('does not fit code that calls something else: operation, record and version are named', async () => {
    const events = eventsOf('change-before');
    const asked = 1 + events.findIndex(({ type }) => type === 'InputRequested');
    expect(await replay(events, historyWorkflows('greeting-after'))).toMatchObject({
      fits: false,
      called: '"look up title"',
      recorded: { kind: 'input', key: '$elicit', version: asked },
      version: asked,
      message: expect.stringMatching(/asked for "look up title" where input "\$elicit" is recorded \(version \d+\)/) as string,
    });
    const { workflow, ran } = greeting(async () => 'at once');
    expect(await replay(events, workflow)).toMatchObject({ fits: false, called: 'the end of the workflow', recorded: { key: 'look up' } });
    const thrower = greeting(async () => {
      throw new Error('not today');
    });
    expect(await replay(events, thrower.workflow)).toMatchObject({ fits: false, recorded: { key: 'look up' } });
    expect([...ran, ...thrower.ran]).toEqual([]);
  });

  it('does not fit code that awaits what is no operation', async () => {
    const { workflow } = greeting(() => new Promise(() => undefined));
    expect(await replay(eventsOf('change-before').slice(0, 2), workflow)).toMatchObject({
      fits: false,
      message: expect.stringContaining('no operation of its context') as string,
    });
  });
});
