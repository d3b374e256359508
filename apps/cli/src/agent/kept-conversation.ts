/** Keeps conversations on a terminal as threads of their owner, so that a later command or another client continues them. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type AgentSettings,
  createThreads,
  type Outcome,
  runOnThread,
  type RunOnThread,
  type ThreadOutcome,
  type Threads,
} from '@longhaul/agent';
import { printable } from '@longhaul/runtime/printable';
import { openCollections } from '../owner-collections.js';
import { type Cleanup, createCleanup } from '../processes/cleanup.js';
import type { Terminal } from '../terminal.js';
import { UserError } from '../user-error.js';
import type { AgentCommandLine, ThreadOptions } from './command-line.js';

/** A process that is killed lets its thread go after this time. */
const LEASE_MS = 30_000;
const RENEWAL_MS = 10_000;

/** Where a terminal finds threads, and what it says of them. */
interface Place {
  readonly settings: AgentSettings;
  readonly terminal: Terminal;
  readonly cleanup: Cleanup;
  readonly dialogue: { say(line: string): void };
}

/** A conversation that is kept, question by question: between them, other clients may ask theirs. */
export class KeptConversation {
  #next: Pick<ThreadOptions, 'name' | 'fork'>;

  constructor(
    private readonly threads: Threads,
    thread: Pick<ThreadOptions, 'name' | 'fork'>,
    private readonly say: (line: string) => void,
  ) {
    this.#next = thread;
  }

  /** @throws ThreadError when another run uses the thread; the error of the store */
  async ask(run: RunOnThread): Promise<Outcome & { readonly thread: ThreadOutcome }> {
    const by = `process ${process.pid} on ${hostname()} (${randomBytes(3).toString('hex')})`;
    const { name: thread, fork } = this.#next;
    const renewal = setInterval(
      () => void this.threads.renew({ by, now: Date.now(), leaseMs: LEASE_MS }).catch(() => undefined),
      RENEWAL_MS,
    );
    try {
      const outcome = await runOnThread({ threads: this.threads, thread, fork, by, leaseMs: LEASE_MS }, run);
      if (thread === undefined) this.say(`This conversation is kept as ${outcome.thread.thread}.`);
      if (outcome.thread.notKept !== undefined) this.say(`Not all of it is kept: ${printable(outcome.thread.notKept)}`);
      this.#next = { name: outcome.thread.thread, fork: undefined };
      return outcome;
    } finally {
      clearInterval(renewal);
    }
  }
}

/** @throws UserError when there is nothing to continue */
export async function keptConversation(
  { thread, owner }: { readonly thread: ThreadOptions; readonly owner: string | undefined },
  { settings, terminal, cleanup, dialogue }: Place,
): Promise<KeptConversation> {
  const threads = await openThreads(owner, { settings, terminal, cleanup });
  const latest = thread.isLatest ? (await threads.list(Date.now()))[0] : undefined;
  if (thread.isLatest && latest === undefined) throw new UserError('there is no conversation to continue: begin one with --thread NAME');
  return new KeptConversation(threads, { name: latest?.thread ?? thread.name, fork: thread.fork }, (line) => dialogue.say(line));
}

/** `longhaul agent --list`: one line for each thread, the latest first. @returns the exit code */
export async function listThreads(
  { owner, json }: Pick<AgentCommandLine, 'owner' | 'json'>,
  { settings, terminal }: Pick<Place, 'settings' | 'terminal'>,
): Promise<number> {
  const cleanup = createCleanup();
  try {
    const listed = await (await openThreads(owner, { settings, terminal, cleanup })).list(Date.now());
    if (json) terminal.out(JSON.stringify(listed));
    else if (listed.length === 0) terminal.err('No conversation is kept: begin one with --thread NAME.');
    for (const { thread, title, messages, usedAt, isBusy } of json ? [] : listed)
      terminal.out(
        [thread, `${messages} messages${isBusy ? ', in use' : ''}`, new Date(usedAt).toISOString(), printable(title)].join('\t'),
      );
    return 0;
  } finally {
    for (const failure of await cleanup.run()) terminal.err(`longhaul: while ending: ${String(failure)}`);
  }
}

async function openThreads(owner: string | undefined, { settings, terminal, cleanup }: Omit<Place, 'dialogue'>): Promise<Threads> {
  try {
    return createThreads((await openCollections(owner, terminal, cleanup)).collections, settings.threadsMaxBytes);
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(error instanceof Error ? error.message : String(error));
  }
}
