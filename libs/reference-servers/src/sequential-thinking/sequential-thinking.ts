import { shortened } from '@longhaul/tasks/text';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { jsonResult } from '../tool-results.js';
import { DESCRIPTION } from './description.js';
import { remember } from './thoughts.js';

/** Models also write numbers and truth values as texts. */
const number = z.coerce.number().int().min(1);
const truth = z.union([z.boolean(), z.string()]).transform((value, context) => {
  if (typeof value === 'boolean') return value;
  const text = value.toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  context.addIssue({ code: 'custom', message: `Expected boolean or "true"/"false" string, received "${value}"` });
  return z.NEVER;
});

const MAX_NAME_LENGTH = 200;
/** Characters of a thought in its log message. The JSON of a message is bounded. */
const MAX_LOGGED = 10_000;

/** @param isLogged whether each thought is logged to the client */
export function sequentialThinking(isLogged: boolean) {
  return defineTool({
    name: 'sequentialthinking',
    title: 'Sequential Thinking',
    description: DESCRIPTION,
    input: z.object({
      thought: z.string().describe('Your current thinking step'),
      nextThoughtNeeded: truth.describe('Whether another thought step is needed'),
      thoughtNumber: number.describe('Current thought number (numeric value, e.g., 1, 2, 3)'),
      totalThoughts: number.describe('Estimated total thoughts needed (numeric value, e.g., 5, 10)'),
      isRevision: truth.optional().describe('Whether this revises previous thinking'),
      revisesThought: number.optional().describe('Which thought is being reconsidered'),
      branchFromThought: number.optional().describe('Branching point thought number'),
      branchId: z.string().max(MAX_NAME_LENGTH).optional().describe('Branch identifier'),
      needsMoreThoughts: truth.optional().describe('If more thoughts are needed'),
      thread: z
        .string()
        .max(MAX_NAME_LENGTH)
        .optional()
        .describe(
          'Name of the line of thought that this belongs to; needed only to keep several apart, or to continue one in another session',
        ),
    }),
    output: z.object({
      thoughtNumber: z.number(),
      totalThoughts: z.number(),
      nextThoughtNeeded: z.boolean(),
      branches: z.array(z.string()),
      thoughtHistoryLength: z.number(),
    }),
    // It counts: the same call twice is two thoughts.
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async run({ thread, ...given }, context) {
      const { thought, thoughtNumber, nextThoughtNeeded, branchFromThought, branchId } = given;
      const totalThoughts = Math.max(given.totalThoughts, thoughtNumber);
      // An empty id is none.
      const branch = branchFromThought === undefined ? undefined : branchId || undefined;
      const { thoughts, branches } = await remember({ branch }, thread, context);
      if (isLogged) context.log('info', `${titleOf(given)} ${thoughtNumber}/${totalThoughts}: ${logged(thought)}`, 'sequentialthinking');
      return jsonResult({ thoughtNumber, totalThoughts, nextThoughtNeeded, branches, thoughtHistoryLength: thoughts });
    },
  });
}

function logged(thought: string): string {
  return shortened(thought, MAX_LOGGED);
}

interface Kind {
  readonly isRevision?: boolean | undefined;
  readonly revisesThought?: number | undefined;
  readonly branchFromThought?: number | undefined;
  readonly branchId?: string | undefined;
}

function titleOf({ isRevision, revisesThought, branchFromThought, branchId }: Kind): string {
  if (isRevision === true) return `Revision of thought ${revisesThought},`;
  return branchFromThought === undefined ? 'Thought' : `Branch ${branchId} from thought ${branchFromThought},`;
}
