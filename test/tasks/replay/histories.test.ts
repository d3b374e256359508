/** Tests that recorded histories always replay on the present code. */
import type { TaskContext, TaskEvent, Workflow } from '@longhaul/tasks';
import { fold } from '@longhaul/tasks/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { historyWorkflows } from '../../fixtures/history-workflows.js';
import { type History, readHistories, recordHistories } from '../../fixtures/record-histories.js';
import { illegalities } from '../../support/legal-history.js';
import { Player } from './player.js';

const wanted = process.env['RECORD_HISTORIES'];
const FINISHED = [
  'research-answered',
  'steps-with-retries',
  'parallel-inputs',
  'race-answered',
  'race-timed-out',
  'failed-workflow',
  'left-its-call',
  'signals',
  'shown-values',
  'spending',
  'calls',
  'large-values',
];
const HALF_WAY = 'half-way';
/** Replayed by changed-code.test.ts. */
const CHANGES = ['change-before', 'change-since'];

let histories: ReadonlyMap<string, History>;

beforeAll(async () => {
  if (wanted !== undefined) await recordHistories(wanted);
  histories = readHistories();
});

function historyOf(name: string): History & { readonly workflow: Workflow } {
  const history = histories.get(name);
  const workflow = historyWorkflows(history?.tool ?? '');
  if (history === undefined || workflow === undefined) throw new Error(`There is no history "${name}" with a workflow.`);
  return { ...history, workflow };
}

const answersOf = (events: readonly TaskEvent[]) =>
  new Map(events.flatMap((event) => (event.type === 'InputReceived' ? [[event.data.key, event.data.answer] as const] : [])));

const signalsIn = (events: readonly TaskEvent[]) => events.filter((event) => event.type === 'SignalSent');

/** How the tasks ended that the task has called. */
const endsOf = (events: readonly TaskEvent[]) =>
  new Map(events.flatMap((event) => (event.type === 'ChildEnded' ? [[event.data.key, event.data.outcome] as const] : [])));

/** Keys of the steps with a recorded value. */
const completedIn = (events: readonly TaskEvent[]) => events.flatMap((event) => (event.type === 'StepCompleted' ? [event.data.key] : []));

it('are all looked at', () => {
  expect([...histories.keys()].sort()).toEqual([...FINISHED, HALF_WAY, ...CHANGES].sort());
});

describe.each(FINISHED)('the recorded history %s', (name) => {
  it('is legal by the rules of today', () => {
    expect(illegalities(historyOf(name).events.map((event) => ({ event })))).toEqual([]);
  });

  it('replays to the same outcome without running a step', async () => {
    const { events, workflow, values } = historyOf(name);
    const player = await Player.at(events.slice(0, -1), workflow, values);
    const after = await player.goOn();
    expect(player.ran).toEqual([]);
    expect(after.slice(events.length - 1).map(({ type }) => type)).toEqual(['PassStarted', events.at(-1)?.type]);
    expect(fold(after).outcome).toEqual(fold(events).outcome);
  });

  it('goes on from each of its events to the same outcome, and no step runs that is recorded', async () => {
    const { events, workflow, values } = historyOf(name);
    const random = new Set(['$uuid']);
    for (let version = 1; version < events.length; version++) {
      // It is recorded together with the event before it.
      if (events[version]?.type === 'SignalReceived') continue;
      const recorded = events.slice(0, version);
      const player = await Player.at(recorded, workflow, values);
      const after = await player.goOn(answersOf(events), signalsIn(events), endsOf(events));
      expect(fold(after).outcome, `from version ${version}`).toEqual(fold(events).outcome);
      expect(
        completedIn(recorded).filter((key) => player.ran.includes(key)),
        `from version ${version}`,
      ).toEqual([]);
      expect(completedIn(after).filter((key) => !random.has(key))).toEqual(completedIn(events).filter((key) => !random.has(key)));
    }
  });
});

describe('a task that was recorded while it waited', () => {
  it('still waits, and goes on from there when it is answered', async () => {
    const { events, workflow } = historyOf(HALF_WAY);
    const waiting = await Player.at(events, workflow);
    expect(await waiting.goOn()).toEqual(events);
    const player = await Player.at(events, workflow);
    const after = await player.goOn(new Map([['$elicit', { response: { action: 'accept', content: { it: 'north' } } }]]));
    expect(player.ran).toEqual(['last']);
    expect(fold(after).outcome).toEqual({ kind: 'result', result: { content: [{ type: 'text', text: '1 north 2' }] } });
    expect(illegalities(after.map((event) => ({ event })))).toEqual([]);
  });
});

describe('a workflow that has changed since the recording', () => {
  const changes: readonly [string, string, (context: TaskContext) => Promise<unknown>, string[]][] = [
    ['names a step otherwise', 'half-way', (context) => context.step('start', () => 1), ['"start"', '"first"']],
    ['sleeps where a step was', 'half-way', (context) => context.sleep('first', 1), ['timer "first"', 'step "first"']],
    [
      'does something else before the recorded sleep',
      'half-way',
      async (context) => {
        await context.step('first', () => 1);
        return context.step('other', () => 2);
      },
      ['"other"', 'timer "breath"'],
    ],
    ['ends early', 'steps-with-retries', async () => 'done', ['the end of the workflow', 'step "$uuid"']],
  ];
  it.each(changes)('and %s fails as NONDETERMINISM with both names', async (_, name, run, names) => {
    const { events, workflow } = historyOf(name);
    const resumable = name === HALF_WAY ? events : events.slice(0, -1);
    const changed: Workflow = { ...workflow, run: async (_args, context) => ({ value: String(await run(context)) }) };
    const player = await Player.at(resumable, changed);
    const outcome = fold(await player.goOn(new Map([['$elicit', { response: { action: 'cancel' } }]]))).outcome;
    expect(outcome).toMatchObject({ kind: 'error', error: { code: -32603, data: { reason: 'NONDETERMINISM' } } });
    for (const part of names) expect(JSON.stringify(outcome)).toContain(part.replaceAll('"', String.raw`\"`));
    expect(player.ran).toEqual([]);
  });
});
