/** Converts groups of failures to the operator API's format. */
import { omitUndefined } from '@longhaul/mcp-features';
import { classOfStep, type TaskView, whatHappened } from '@longhaul/tasks';
import { z } from 'zod';
import { FAILURE_STATES, type Failure as FailureOf, type FailureStory, HOURS } from '../failures/failures.js';
import { Time, timeOf } from './common.js';
import type { LinkTemplates } from '../links/link-settings.js';
import { detailsOf, summaryOf, TaskSummary } from './task.js';

/** The tasks of a group that come with it; the list of tasks has all of them. */
const SHOWN_TASKS = 20;
/** Owners and versions that are named. */
const SHOWN_SHARES = 20;

/** A group in the list. */
export const Failure = z
  .object({
    id: z.string().describe('The same for the same failure in each deployment; `group` of a filter.'),
    tool: z.string(),
    reason: z.string().describe('As in a task.'),
    what: z.string().describe('The reason, or the class of the message: without numbers, ids and quoted values.'),
    step: z.string().optional(),
    message: z.string().optional().describe('Of the newest task.'),
    count: z.int().describe('Failed tasks that were not retried.'),
    firstAt: Time.optional(),
    latestAt: Time,
    hours: z.array(z.int()).describe(`How many failed in each of the last ${HOURS} hours, the present one last.`),
    newestTask: z.string().optional(),
    state: z.enum(FAILURE_STATES),
    mark: z
      .object({ who: z.string(), reason: z.string(), at: Time, until: Time.optional(), more: z.int().optional() })
      .optional()
      .describe('Who has dismissed or snoozed it.'),
  })
  .meta({ id: 'Failure', description: 'Failed tasks to which the same happened.' });

const Share = z.object({ name: z.string(), count: z.int() });

/** A group with its newest tasks. */
export const FailureDetails = Failure.extend({
  stack: z.string().optional().describe("Of the newest task: the error and its causes, with the frames in the author's files."),
  looked: z.int().describe('From how many of its newest tasks the rest was counted.'),
  minutes: z.array(z.int()).describe('How many of these failed in each of the last 60 minutes, the present one last.'),
  owners: z.array(Share),
  versions: z.array(Share).describe('Versions of the deployment.'),
  tasks: z.array(TaskSummary).describe('The newest ones.'),
}).meta({ id: 'FailureDetails' });

/** Groups of failures. */
export const FailureList = z.object({
  groups: z.array(Failure),
  total: z.int().describe('How many groups there are in these states.'),
  tasks: z.int().describe('How many tasks all of these groups have.'),
});

export function failureOf(failure: FailureOf): z.infer<typeof Failure> {
  const { cause, tool, reason, count, latestAt, state, mark, sample } = failure;
  return omitUndefined({
    id: cause,
    tool,
    reason,
    ...happened(reason, sample?.view),
    count,
    firstAt: sample && timeOf(Math.min(sample.firstAt, latestAt)),
    latestAt: timeOf(latestAt),
    hours: [...(sample?.hours ?? [])],
    newestTask: sample?.newest,
    state,
    mark: mark && omitUndefined({ ...markOf(mark), until: mark.until === undefined ? undefined : timeOf(mark.until), more: mark.more }),
  });
}

export function failureDetailsOf(story: FailureStory, templates: LinkTemplates): z.infer<typeof FailureDetails> {
  return omitUndefined({
    ...failureOf(story),
    stack: story.task && detailsOf(story.task, templates).thrown?.stack,
    looked: story.looked,
    minutes: [...story.minutes],
    owners: story.owners.slice(0, SHOWN_SHARES),
    versions: story.versions.slice(0, SHOWN_SHARES),
    tasks: story.tasks.slice(0, SHOWN_TASKS).map((task) => summaryOf(task, templates)),
  });
}

function happened(reason: string, view: TaskView | undefined): Pick<z.infer<typeof Failure>, 'what' | 'step' | 'message'> {
  const { step, message } = view?.ending ?? {};
  const what = whatHappened({ tool: '', reason, message });
  return { what, ...omitUndefined({ step: step === undefined ? undefined : classOfStep(step), message }) };
}

function markOf({ who, reason, at }: NonNullable<FailureOf['mark']>): { who: string; reason: string; at: string } {
  return { who, reason, at: timeOf(at) };
}
