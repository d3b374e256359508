/**
 * Writes the audit records of a process. Only callers that ask for it wait: records are gathered for a moment and written by one command,
 * behind the head that the process knows. If another process has written to the same chain since then, the reply says where the chain ends
 * now, and the command is tried again. Records that are not written when a process is killed are lost, but the chain stays whole. While the
 * store is away records wait here, up to a number; the count of further records, which are lost, is recorded.
 */
import { randomUUID } from 'node:crypto';
import {
  AUDIT_CHAINS,
  type AuditAction,
  type AuditChain,
  type AuditEntry,
  type AuditHead,
  type AuditLog,
  NO_HEAD,
} from '../ports/audit-log.js';
import { chained } from './hash-record.js';

/** How long records are gathered, milliseconds. */
const LINGER_MS = 10;
/** How long it rests while the store is away, milliseconds. */
const RETRY_MS = 500;
/** How many records one command writes. */
const MAX_BATCH = 200;
/** How many records wait for the store. */
const MAX_WAITING = 10_000;

/** An entry to record; the members that all entries share are added. */
export type NewEntry = Omit<AuditEntry, 'id' | 'at' | 'action'> & Partial<Pick<AuditEntry, 'at'>> & { readonly action: AuditAction };

/** Dependencies of a writer. */
export interface AuditWriterOptions {
  readonly log: AuditLog;
  readonly chain: AuditChain;
  /** How many records of the chain are kept. */
  readonly keep: number;
  /** Called when records cannot be written for now. */
  readonly onError: (error: unknown) => void;
}

/** One of the chains of callers: each process has one, so that few meet. */
export function anyCallerChain(): AuditChain {
  const [, ...chains] = AUDIT_CHAINS;
  return chains[Math.floor(Math.random() * chains.length)] ?? chains[0];
}

export class AuditWriter {
  #head: AuditHead = NO_HEAD;
  /** Entries as JSON, in their order. */
  readonly #waiting: string[] = [];
  /** The entries of the last command, until it is known that they were accepted: a repeated command must be the same. */
  #batch: readonly string[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor(private readonly options: AuditWriterOptions) {}

  /** Records something soon. */
  record(entry: NewEntry): void {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(textOf(entry));
    if (this.#writing === undefined) this.#timer ??= setTimeout(() => void this.flush(), LINGER_MS);
  }

  /**
   * Resolves when all entries so far are written, or could not be written for now: then `onError` was called, and the write is tried again.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Entries recorded after a command was composed are not in it.
    if (this.#writing !== undefined) await this.#writing;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Writes the waiting entries once more; nothing is recorded after that. */
  async close(): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#batch.length > 0 || this.#waiting.length > 0 || this.#lost > 0) {
        if (this.#batch.length === 0) {
          this.#batch = this.#waiting.splice(0, MAX_BATCH);
          this.#noteLost();
        }
        await this.#write(this.#batch);
        this.#batch = [];
      }
    } catch (error) {
      this.options.onError(error);
      if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.flush(), RETRY_MS).unref();
    }
  }

  async #write(texts: readonly string[]): Promise<void> {
    const { log, chain, keep } = this.options;
    for (;;) {
      const { isTaken, head } = await log.append(chain, this.#head, chained(chain, this.#head, texts), keep);
      this.#head = head;
      if (isTaken) return;
    }
  }

  #noteLost(): void {
    if (this.#lost === 0) return;
    const details = { count: this.#lost };
    this.#lost = 0;
    const reason = 'The store was away for too long to keep them.';
    this.#waiting.push(textOf({ who: 'longhaul', action: 'audit.lost', target: 'records', reason, outcome: 'done', details }));
  }
}

function textOf(entry: NewEntry): string {
  return JSON.stringify({ id: randomUUID(), at: Date.now(), ...entry });
}
