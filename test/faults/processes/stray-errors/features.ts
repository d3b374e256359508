/**
 * Features with errors that nobody catches. Gateways and workers load this file through `LONGHAUL_FEATURES`, so it has only
 * types that Node strips.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { definePrompt, defineResource, defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** Fails a moment later, when the caller has gone on. */
function strayLater(message: string): void {
  setTimeout(() => {
    throw new Error(message);
  }, 10);
}

const input = z.object({});

/** Read by `loadFeatures`. */
export const features = [
  defineTool({
    name: 'timer',
    description: 'Throws in a timer',
    input,
    run: () => {
      strayLater('of a timer');
      return 'called';
    },
  }),
  defineTool({
    name: 'forgotten',
    description: 'Forgets a promise that is rejected',
    input,
    run: () => {
      void pause(10).then(() => Promise.reject(new Error('of a forgotten promise')));
      return 'called';
    },
  }),
  definePrompt({
    name: 'timer-prompt',
    description: 'Throws in a timer',
    run: () => {
      strayLater('of a prompt');
      return 'called';
    },
  }),
  defineResource({
    uri: 'stray://timer',
    name: 'timer-resource',
    read: () => {
      strayLater('of a resource');
      return 'called';
    },
  }),
  defineTool({
    name: 'hold',
    description: 'Answers after a time',
    input: z.object({ ms: z.number() }),
    run: async ({ ms }) => {
      await pause(ms);
      return 'held';
    },
  }),
  defineTool({
    name: 'task-timer',
    description: 'Throws in a timer of the function, and in one of a step after a replay',
    input,
    task: 'optional',
    async run(_args, context) {
      if (context.attempt === 1) strayLater('of a task');
      await context.sleep('first', 50);
      await context.step('second', async () => {
        strayLater('of a step');
        await pause(50);
      });
      return 'completed';
    },
  }),
  defineTool({
    name: 'task-hold',
    description: 'Works for a time',
    input: z.object({ ms: z.number() }),
    task: 'optional',
    async run({ ms }, context) {
      await context.step('work', () => pause(ms));
      return 'worked';
    },
  }),
];
