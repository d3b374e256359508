/**
 * Remembers the task of a call that nobody waits for any more, so that the caller's next call of the same tool with the same arguments can
 * be given that task. It is noted under an idempotency key of the caller that is made of tool and arguments; the latest note counts. Any
 * number of calls may find it: none of them creates anything.
 */
import { canonicalJson } from '@longhaul/runtime/canonical-json';
import { wholeMs } from '../domain/milliseconds.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskStore } from '../ports/task-store.js';
import type { CallOfTool } from './task-service.js';

/** How long a note is kept. The task of an earlier one is found in the caller's list. */
const NOTE_MS = 24 * 3_600_000;

/** The beginning of such keys. It is persisted. */
const KEY = 'left-call:';

type Deps = Pick<TaskStore, 'index' | 'codec'>;

export async function noteLeftCall({ index, codec }: Deps, call: CallOfTool, taskId: TaskId): Promise<void> {
  const [fingerprint = ''] = await printsOf(codec, call);
  await index.replaceKey(call.owner, KEY + fingerprint, { taskId, fingerprint }, wholeMs(NOTE_MS));
}

export async function taskOfLeftCall({ index, codec }: Deps, call: CallOfTool): Promise<TaskId | undefined> {
  for (const fingerprint of await printsOf(codec, call)) {
    const claim = await index.claimOf(call.owner, KEY + fingerprint);
    // A client that sends such a key itself has a fingerprint of another kind.
    if (claim?.fingerprint === fingerprint) return claim.taskId;
  }
  return undefined;
}

async function printsOf(codec: Deps['codec'], { owner, tool, arguments: args }: CallOfTool): Promise<readonly string[]> {
  const said = canonicalJson([tool, args]);
  return (await codec.digestsFor(owner)).map((digest) => digest(said));
}
