/** Tests that tasks recorded before and since a change of their code continue with each later version of it. */
import { fold } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { historyWorkflows } from '../../fixtures/history-workflows.js';
import { readHistories } from '../../fixtures/record-histories.js';
import { Player } from './player.js';

const answers = new Map([['$elicit', { response: { action: 'accept', content: { it: 'warmly' } } }]]);

/** Continues the recorded task with a version of its code. @returns how it ended, and which steps ran */
async function goOn(history: string, tool: string) {
  const events = readHistories().get(history)?.events;
  const workflow = historyWorkflows(tool);
  if (events === undefined || workflow === undefined) throw new Error(`There is no history "${history}" or no workflow "${tool}".`);
  const player = await Player.at(events, workflow);
  const { outcome } = fold(await player.goOn(answers));
  return { outcome, ran: player.ran };
}

const greeted = (text: string) => ({ outcome: { kind: 'result', result: { content: [{ type: 'text', text }] } }, ran: ['greet'] });

describe('a recorded task', () => {
  it.each([
    ['from before a change goes on as it began', 'change-before', 'greeting-changed', 'Ada, warmly'],
    ['from after a change goes on with it', 'change-since', 'greeting-changed', 'Countess Ada, warmly'],
    ['from after a change goes on when the question for it is gone', 'change-since', 'greeting-after', 'Countess Ada, warmly'],
  ])('%s', async (_, history, tool, text) => {
    expect(await goOn(history, tool)).toEqual(greeted(text));
  });

  it('from before a change fails where the question for it is gone, and runs nothing', async () => {
    const { outcome, ran } = await goOn('change-before', 'greeting-after');
    expect(outcome).toMatchObject({ kind: 'error', error: { data: { reason: 'NONDETERMINISM' } } });
    expect(ran).toEqual([]);
  });
});
