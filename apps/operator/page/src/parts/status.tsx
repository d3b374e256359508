/** Statuses and reasons in words. */
import { firstCharacters } from './first-characters.js';
import { stateOf, type TaskState } from '../../../src/task-state.js';
import type { Task, Waiting } from '../../../src/answers.js';
import { Icon, type IconName } from './icon.js';
import { Ago, Lasting } from './time.js';

export type Status = Task['status'];

/** All statuses, in the order in which a task may have them. */
export const STATUSES: readonly Status[] = ['working', 'input_required', 'completed', 'failed', 'cancelled'];

/** The statuses that a list is filtered by: an unfinished task that asks nothing runs, is queued or is scheduled. */
const WORDS: Readonly<Record<Status, string>> = {
  working: 'Running, queued or scheduled',
  input_required: 'Waiting for an answer',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export function statusWord(status: Status): string {
  return WORDS[status];
}

const ICONS: Readonly<Record<TaskState, IconName>> = {
  Running: 'running',
  Queued: 'queued',
  Scheduled: 'scheduled',
  'Waiting for an answer': 'asks',
  'Waiting for a signal': 'signal',
  Completed: 'completed',
  Failed: 'failed',
  Cancelled: 'cancelled',
};

/** Shows the state of a task by word, icon and colour. */
export function StatusBadge({ task }: { readonly task: Pick<Task, 'status' | 'waiting'> }) {
  const state = stateOf(task);
  return (
    <span class={`badge ${task.status}`}>
      <Icon name={ICONS[state]} /> {state}
    </span>
  );
}

/** Why an unfinished task does not continue at this moment. */
export function WaitingText({ waiting }: { readonly waiting: Waiting }) {
  switch (waiting.for) {
    case 'question':
      return (
        <>
          for an answer to {waiting.keys.join(', ')}, asked <Ago at={waiting.since} />
        </>
      );
    case 'child':
      return (
        <>
          for other tasks ({waiting.keys.join(', ')}), for <Lasting from={waiting.since} />
        </>
      );
    case 'signal':
      return (
        <>
          for the signal {waiting.names.join(', ')}, for <Lasting from={waiting.since} />
        </>
      );
    case 'timer':
      return (
        <>
          for a time: <Ago at={waiting.until} />
        </>
      );
    case 'retry':
      return (
        <>
          for attempt {waiting.attempt + 1}: <Ago at={waiting.until} />
        </>
      );
    case 'trial':
      return (
        <>
          for a trial after its process died, for <Lasting from={waiting.since} />
        </>
      );
    case 'queue':
      return (
        <>
          for {waiting.heldBack === undefined ? 'a worker' : heldBackText(waiting.heldBack)}, for <Lasting from={waiting.since} />
        </>
      );
    case 'worker':
      return (
        <>
          runs at worker <code>{shortId(waiting.workerId)}</code>, for <Lasting from={waiting.since} />
        </>
      );
  }
}

type HeldBack = NonNullable<(Waiting & { readonly for: 'queue' })['heldBack']>;

const LIMITS: Readonly<Record<HeldBack['by'], string>> = {
  key: 'the limit of its key',
  rate: 'the limit of starts of its key',
  tool: 'the limit of its tool',
  shared: 'the shared limit of its tool',
  tenant: 'the limit of its tenant',
};

function heldBackText({ by, ahead }: HeldBack): string {
  return `${LIMITS[by]} (${ahead === 0 ? 'it is the next one' : `${ahead} before it`})`;
}

/** The beginning of an id, enough to distinguish some of them. */
export function shortId(id: string): string {
  return id.length > 12 ? `${firstCharacters(id, 8)}…` : id;
}
