/** Tools that fail, each in its way. */
import { defineTool, type Feature } from '@longhaul/mcp-features';
import { z } from 'zod';

const input = z.object({});

export const features: readonly Feature[] = [
  defineTool({
    name: 'broken-inline',
    description: 'Fails within the request.',
    input,
    run: () => {
      throw new TypeError('broken within the request');
    },
  }),
  defineTool({
    name: 'broken-task',
    description: 'Fails as a task, twice.',
    input,
    task: 'optional',
    retry: { attempts: 2, initialMs: 1 },
    run: () => Promise.reject(new TypeError('broken as a task')),
  }),
  defineTool({
    name: 'changing-task',
    description: 'Depends on something else each time.',
    input,
    task: 'optional',
    run: () => Promise.resolve(`drawn: ${Math.random() > 0}`),
  }),
  defineTool({ name: 'whole-task', description: 'Does not fail.', input, task: 'optional', run: () => Promise.resolve('done') }),
];
