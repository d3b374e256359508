/** Counts thoughts and remembers the branches that they begin. The texts stay with the model. */
import type { OwnerCollection, RequestContext } from '@longhaul/mcp-features';
import type { Json, JsonObject } from '@longhaul/tasks';

/** The remembered state of a thread of thoughts. */
export interface Thread {
  /** How many thoughts there were. */
  readonly thoughts: number;
  /** Ids of branches, in the order in which they began. */
  readonly branches: readonly string[];
}

/** A thought, as far as it is remembered. */
export interface Thought {
  /** The id of the branch that it is on, if it is on one. */
  readonly branch: string | undefined;
}

const EMPTY: Thread = { thoughts: 0, branches: [] };

/** Threads that an owner has; the one that began first gives way to a new one. */
const MAX_THREADS = 1_000;
const MAX_BRANCHES = 1_000;
const MAX_BYTES = 1024 * 1024;

/** If the caller is unknown, each thought stands alone. */
const UNNAMED = 'default';

/**
 * Adds a thought to its thread: the named thread, else the session's, else one that all calls of the caller share.
 *
 * @returns the thread with the thought
 */
export async function remember(thought: Thought, name: string | undefined, { owner, session }: RequestContext): Promise<Thread> {
  if (owner === undefined) return added(EMPTY, thought);
  const threads = owner.collection('longhaul/sequential-thinking', { maxBytes: MAX_BYTES });
  return addTo(threads, name === undefined ? (session?.id ?? UNNAMED) : `thread ${name}`, thought);
}

function addTo(threads: OwnerCollection, id: string, thought: Thought): Promise<Thread> {
  return threads.update((records) => {
    const present = records.get(id);
    const thread = added(present === undefined ? EMPTY : threadOf(present), thought);
    const [oldest] = present === undefined && records.size >= MAX_THREADS ? records.keys() : [];
    const changes = [{ id, value: { ...thread } as unknown as JsonObject }, ...(oldest === undefined ? [] : [{ id: oldest }])];
    return { changes, result: thread };
  });
}

function threadOf(record: Json): Thread {
  return record as unknown as Thread;
}

function added({ thoughts, branches }: Thread, { branch }: Thought): Thread {
  const isNew = branch !== undefined && !branches.includes(branch);
  return { thoughts: thoughts + 1, branches: isNew ? [...branches, branch].slice(0, MAX_BRANCHES) : branches };
}
