/**
 * Defines the audit log: actions and refusals, as records that are only ever added. Each carries the hash of the one before it, so that one
 * that was deleted, changed or moved is found. A deployment has a few parallel chains, so that writers seldom meet; each ends in a head.
 */
import type { JsonObject } from '../domain/json.js';

/** The chain of operators, and the chains of callers. They are separate, so that callers' records cannot push out operators' records. */
export const AUDIT_CHAINS = ['operators', 'callers-1', 'callers-2', 'callers-3', 'callers-4'] as const;

/** The name of a chain. */
export type AuditChain = (typeof AUDIT_CHAINS)[number];

/** All actions that are recorded, with their targets. Records of other versions may have other actions. */
export type AuditAction =
  | 'audit.lost'
  | 'bulk.abort'
  | 'bulk.answer'
  | 'bulk.answer.end'
  | 'bulk.cancel'
  | 'bulk.cancel.end'
  | 'bulk.resume'
  | 'bulk.retry'
  | 'bulk.retry.end'
  | 'failure.dismiss'
  | 'failure.reopen'
  | 'failure.snooze'
  | 'key.load'
  | 'keys.rewrap'
  | 'principal.cancel-tasks'
  | 'principal.restore'
  | 'principal.revoke'
  | 'question.accept'
  | 'question.answer'
  | 'signal.send'
  | 'question.cancel'
  | 'question.decline'
  | 'queue.pause'
  | 'queue.resume'
  | 'request.refuse'
  | 'result.read'
  | 'schedule.add'
  | 'schedule.backfill'
  | 'schedule.change'
  | 'schedule.pause'
  | 'schedule.remove'
  | 'schedule.resume'
  | 'schedule.run'
  | 'server.off'
  | 'server.on'
  | 'server.restart'
  | 'task.cancel'
  | 'task.create'
  | 'task.import'
  | 'task.read'
  | 'task.retry'
  | 'tenant.reset'
  | 'tenant.set'
  | 'token.elevate'
  | 'tool.start';

/** A caller of the MCP endpoint, as its token names it. */
export interface AuditedCaller {
  /** The owner of everything that it creates. */
  readonly owner: string;
  readonly tenant?: string;
  readonly issuer?: string;
  readonly subject?: string;
  readonly client?: string;
  /** Where the request came from. */
  readonly address?: string;
}

/** An action that somebody has done, or tried. */
export interface AuditEntry {
  /** Unique: a record that was written twice because an answer was lost has the same one. */
  readonly id: string;
  /** Epoch milliseconds, by the clock of the process that did it. */
  readonly at: number;
  /** The name of the operator, or the subject of the caller. */
  readonly who: string;
  /** One of `AuditAction`, if this version wrote it. */
  readonly action: string;
  /** The target of the action: the id of a task, of a bulk operation, … */
  readonly target: string;
  readonly reason: string;
  /** `done`, or the code of the refusal. */
  readonly outcome: string;
  /** Absent for operators, and for actions of processes themselves. */
  readonly caller?: AuditedCaller;
  readonly method?: string;
  readonly tool?: string;
  readonly taskId?: string;
  /** The trace of the request (`traceparent`), or its `X-Request-Id`. */
  readonly correlation?: string;
  /** Details of the action, such as a filter. */
  readonly details?: JsonObject;
}

/** Where a chain ends: the number of its last record, and its hash. */
export interface AuditHead {
  /** 0 before the first record. */
  readonly number: number;
  /** Empty before the first record. */
  readonly hash: string;
}

/** The known state of a chain. */
export interface ChainState {
  readonly head: AuditHead;
  /** The last record that retention has removed; its hash is the one that the first remaining record continues. */
  readonly base: AuditHead;
}

/** A record to be written. */
export interface ChainedText {
  /** The entry as JSON, as it is hashed. */
  readonly text: string;
  readonly hash: string;
}

/** A record as it is kept. */
export interface KeptRecord extends ChainedText, AuditHead {}

/** The result of an attempt to write. */
export interface Appended {
  /** False when the chain did not end at the expected head: then nothing was written. */
  readonly isTaken: boolean;
  /** Where it ends now. */
  readonly head: AuditHead;
}

/** The chains. All methods reject with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface AuditLog {
  /**
   * Adds records behind a head, all or none, and drops the oldest ones beyond `keep`, noting where that ends. If it is repeated after its
   * answer was lost, it changes nothing and says so.
   */
  append(chain: AuditChain, after: AuditHead, records: readonly ChainedText[], keep: number): Promise<Appended>;
  state(chain: AuditChain): Promise<ChainState>;
  /** Up to `limit` records with higher numbers, in their order. */
  after(chain: AuditChain, number: number, limit: number): Promise<readonly KeptRecord[]>;
  /** Up to `limit` records with lower numbers, the highest first. */
  before(chain: AuditChain, number: number, limit: number): Promise<readonly KeptRecord[]>;
}

/** The head of a chain without records. */
export const NO_HEAD: AuditHead = { number: 0, hash: '' };
