import { firstCharacters } from '@longhaul/tasks/text';
import { omitUndefined } from '@longhaul/mcp-features';
import {
  isJsonObject,
  type JsonObject,
  type Outcome,
  type PendingInput,
  presentParams,
  ROW_STATUSES,
  rowOf,
  type TaskSnapshot,
} from '@longhaul/tasks';
import { z } from 'zod';

/** The most characters of a result that are shown. */
const MAX_RESULT_CHARACTERS = 20_000;

const Question = z.object({
  key: z.string(),
  message: z.string(),
  requestedSchema: z.record(z.string(), z.unknown()).optional().describe('The form that is asked for.'),
  url: z.string().optional().describe('In place of a form: what the user is asked to open.'),
});

/** A task in the form that the app shows to its user. */
export const ShownTask = z.object({
  taskId: z.string(),
  tool: z.string(),
  status: z.enum(ROW_STATUSES),
  message: z.string().optional(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
  progress: z.object({ progress: z.number(), total: z.number().optional(), message: z.string().optional() }).optional(),
  questions: z.array(Question),
  result: z.string().optional().describe('The texts of the result, cut off where they are long.'),
  pollIntervalMs: z.number().describe('How soon to look again while it has not ended.'),
});

export function shownTask({ view, outcome }: TaskSnapshot): z.infer<typeof ShownTask> {
  const { taskId, tool, progress, pollIntervalMs, pendingInputs } = view;
  return omitUndefined({
    taskId,
    tool,
    status: rowOf(view).status,
    message: view.ending?.message ?? view.statusMessage,
    createdAt: new Date(view.createdAt).toISOString(),
    lastUpdatedAt: new Date(view.updatedAt).toISOString(),
    progress: progress && omitUndefined({ ...progress }),
    questions: view.ending === undefined ? pendingInputs.filter(isQuestion).map(questionOf) : [],
    result: outcome && resultTextOf(outcome),
    pollIntervalMs,
  });
}

/** Whether the user must answer it: requests to a model or about the client's files are for the client. */
export function isQuestion({ method }: PendingInput): boolean {
  return method === 'elicitation/create';
}

function questionOf(input: PendingInput): z.infer<typeof Question> {
  const { key } = input;
  const { message, requestedSchema, url } = presentParams(input);
  return omitUndefined({
    key,
    message: typeof message === 'string' ? message : '',
    requestedSchema: isJsonObject(requestedSchema) ? requestedSchema : undefined,
    url: typeof url === 'string' ? url : undefined,
  });
}

function resultTextOf(outcome: Outcome): string | undefined {
  if (outcome.kind !== 'result') return undefined;
  const { content } = outcome.result;
  const blocks = (Array.isArray(content) ? content : []) as JsonObject[];
  const text = blocks.flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : [])).join('\n');
  return text === '' ? undefined : firstCharacters(text, MAX_RESULT_CHARACTERS);
}
