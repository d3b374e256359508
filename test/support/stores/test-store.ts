/**
 * Provides the store of a test's gateways and workers. A suite that may depend on the store runs in two projects of `vitest.config.ts`, on
 * Redis and on a data file. It inspects the store only through this interface.
 */
import type { Store } from '@longhaul/sessions';
import type { TaskId, TaskView } from '@longhaul/tasks';
import { inject } from 'vitest';
import { openTestRedis, type RedisLocation, type TestRedis } from '../redis.js';
import { RedisTestStore } from './redis-store.js';
import { SqliteTestStore } from './sqlite-store.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The store of the project. */
    readonly store: 'Redis' | 'SQLite';
  }
}

/** How a process of the test opens the store. */
export interface OpenStoreOptions {
  readonly role: 'gateway' | 'worker';
  /** How long values of sessions are kept, milliseconds. */
  readonly sessionTtlMs?: number;
  readonly accountSessionBytes?: number;
  /** Another address of the same Redis, such as a proxy's. */
  readonly redisUrl?: string | undefined;
  /** Called with errors that are reported nowhere else. @defaultValue they are left out */
  readonly onError?: (error: unknown) => void;
}

/** An event as it is stored; `data` and `meta` are JSON. */
export interface RawEvent {
  /** Its number in the stream, as the store knows it. */
  readonly version: number;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/** The data that is stored in addition to the stream of a task; without a view it is absent. */
interface RawView {
  /** The content of the view. */
  readonly version?: number;
  readonly epoch?: number;
  /** JSON. */
  readonly view?: string;
  /** Whether the outcome is stored in addition to its event. */
  readonly hasOutcome: boolean;
  /** JSON. */
  readonly outcome?: string;
}

/** A task as it is stored. */
export interface RawTask {
  readonly taskId: TaskId;
  readonly events: readonly RawEvent[];
  readonly view: RawView;
}

/** The size of a collection of records, bytes. */
export interface RecordBytes {
  readonly records: readonly { readonly id: string; readonly json: string }[];
  /** How many changes are known. */
  readonly changes: number;
  readonly collection: number;
  readonly account: number;
}

/** A store of a test's own. */
export interface TestStore extends StoreLooks, SessionLooks {
  /** The settings by which processes find it. */
  readonly env: Readonly<Record<string, string>>;
  /** The common prefix of keys, if there are keys. */
  readonly keyPrefix: string;
  /** As a process of its own does; the caller closes it. */
  open(options: OpenStoreOptions): Promise<Store>;
  /** Removes everything. @param keep only lets go of it */
  close(keep?: boolean): Promise<void>;
}

/** The data of tasks, and all data. */
interface StoreLooks {
  /** The views of all tasks, also of those that are in no list. */
  views(): Promise<readonly TaskView[]>;
  tasks(): Promise<readonly RawTask[]>;
  /** How long a task is kept from now on, milliseconds. */
  keptMs(taskId: string): Promise<number>;
  /** How many jobs there are: to do, in line, done now, for later and failed. @param withinMs only those that are due within this time */
  queuedJobs(withinMs?: number): Promise<number>;
  /** The tasks that the agenda has. @param isDue only those that are due */
  agenda(isDue?: boolean): Promise<readonly TaskId[]>;
  /** The owners that have records. */
  recordOwners(): Promise<readonly string[]>;
  /** The stored sizes of the only collection of records: of each record, of all records, and of its account. */
  recordBytes(): Promise<RecordBytes>;
  /** How many channels with this id in their names have listeners, among the connections that the test has opened. */
  channelsOf(id: string): Promise<number>;
  /**
   * The data that would stay for ever, except data that is permanent by design. @param atRest every task has ended; otherwise others are
   * left out
   */
  leftForEver(atRest?: boolean): Promise<readonly string[]>;
}

/** The data of sessions and of their streams. */
interface SessionLooks {
  /** The names of all that is kept of sessions. */
  sessions(): Promise<readonly string[]>;
  /** How long the session, its values (`values`), and each thing else that it has are kept from now on, all at one moment, milliseconds. */
  ofSession(sessionId: string): Promise<ReadonlyMap<string, number>>;
  /** As its expiry does: nothing but the session itself is gone. */
  expireSession(sessionId: string): Promise<void>;
  /** How many bytes each session of an account has, for all accounts. */
  sessionBytes(): Promise<readonly (readonly number[])[]>;
  /** The streams of the session that somebody holds. */
  openStreams(sessionId: string): Promise<readonly string[]>;
  /** The stream that is the session's standalone one. */
  standaloneStream(sessionId: string): Promise<string | undefined>;
  /** The process id of the gateway with the stream on which the task has asked its client. */
  askedBy(taskId: string): Promise<number | undefined>;
  /** The process id of the gateway on which the stream began that gets the answer of the task. */
  servedBy(taskId: string): Promise<number | undefined>;
}

/** A new store of the project's kind. @param location of a Redis, if not the test runner's */
export function openTestStore(location?: RedisLocation): TestStore {
  return inject('store') === 'SQLite' && location === undefined ? new SqliteTestStore() : new RedisTestStore(openTestRedis(location));
}

/** The Redis behind a store, for a test of what only Redis has. @throws Error on a data file */
export function redisOf(store: TestStore): TestRedis {
  if (store instanceof RedisTestStore) return store.redis;
  throw new Error('This test looks into Redis: leave its file out of those that run on a data file (vitest.config.ts).');
}
