import { z } from 'zod';
import { definePrompt } from '@longhaul/mcp-features';
import { userMessage } from './user-message.js';

/** The members of each department. */
const TEAMS = new Map([
  ['Engineering', ['Alice', 'Bob', 'Charlie']],
  ['Sales', ['David', 'Eve', 'Frank']],
  ['Marketing', ['Grace', 'Henry', 'Iris']],
  ['Support', ['John', 'Kim', 'Lee']],
]);

/** Two arguments that can be completed, the second one by what the first one is. */
export const completablePrompt = definePrompt({
  name: 'completable-prompt',
  title: 'Team Management',
  description: 'First argument choice narrows values for second argument.',
  arguments: z.object({
    department: z.string().describe('Choose the department.'),
    name: z.string().describe('Choose a team member to lead the selected department.'),
  }),
  complete: {
    department: (typed) => beginningWith(typed, [...TEAMS.keys()]),
    name: (typed, { department = '' }) => beginningWith(typed, TEAMS.get(department) ?? []),
  },
  run: ({ department, name }) => ({ messages: [userMessage(`Please promote ${name} to the head of the ${department} team.`)] }),
});

function beginningWith(typed: string, values: readonly string[]): readonly string[] {
  return values.filter((value) => value.startsWith(typed));
}
