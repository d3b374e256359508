/** Connects the servers of a task while one of its passes runs, each server when it is first needed. */
import { type DurableContext, hasCapability } from '@longhaul/mcp-features';
import { type ClientCapability, TaskError } from '@longhaul/tasks';
import type { ClientCapabilities, CreateMessageResult, ElicitResult, ListRootsResult } from '@modelcontextprotocol/client';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { CallWatch } from '../connection/call-watch.js';
import { connectServer } from '../connection/connect-server.js';
import type { Lease, LeaseRequest, ServerPool } from '../pool/server-pool.js';
import type { ConnectedServer } from '../connection/connected-server.js';
import type { ServerConfig } from '../config/server-config.js';
import type { Asking, ServerHandlers } from '../connection/server-handlers.js';
import { HeardLog } from './heard-log.js';
import { type Question, type QuestionKind, questionOf } from './question.js';

/** How long to wait before the store is asked again that was away. */
const STORE_PAUSE_MS = 200;

/** Answers the questions of one call while it is under way. */
export type AnswerCall = (question: Question, asker: QuestionAsker) => Promise<object>;

/** Who asks. */
export interface QuestionAsker {
  /** The task that asks; nothing as long as the call is none. */
  readonly taskId: string | undefined;
  /** The protocol version that is spoken. */
  readonly generation: string;
}

/** A connection of this pass. */
export interface PassConnection {
  /** That of no other connection. */
  readonly id: string;
  readonly server: ConnectedServer;
  /** Whether the server's state of the caller is lost, and no result has said so yet. */
  takeLoss(): boolean;
}

/** Connections that outlive a pass. */
export interface PassPool {
  readonly connections: ServerPool;
  /** For whom a connection is needed. @throws ServerAuthError for a server that needs a token of the caller, if there is none */
  readonly keyOf: (config: ServerConfig) => Pick<LeaseRequest, 'key' | 'account' | 'credentials'>;
}

export interface PassConnectionsOptions {
  readonly servers: ReadonlyMap<string, ServerConfig>;
  /** The questions that servers may ask: see `askableCapabilities`. */
  readonly asks: ClientCapabilities;
  /** Aborts when the pass ends. */
  readonly signal: AbortSignal;
  /** Whether what servers log is passed on to the client of the task. */
  readonly isHeard?: boolean;
  /** Hears of calls, and refuses servers and tools that are turned off. */
  readonly watch?: CallWatch | undefined;
  /** Where connections come from that outlive the pass, and for whom. Absent: each is opened for the pass. */
  readonly pool?: PassPool | undefined;
}

export class PassConnections {
  private readonly opened = new Map<string, Promise<PassConnection & { readonly end: () => Promise<void> | void }>>();
  private readonly calls = new Map<string, AnswerCall>();
  /** The log messages of the servers, if they are wanted. */
  readonly log = new HeardLog();
  private isOver = false;

  constructor(private readonly options: PassConnectionsOptions) {
    // Steps are aborted in the same moment. Their calls must be cancelled before the connection closes.
    options.signal.addEventListener('abort', () => queueMicrotask(() => void this.close()), { once: true });
  }

  get servers(): ReadonlyMap<string, ServerConfig> {
    return this.options.servers;
  }

  /**
   * Returns a connection to the server. If its process has ended, the connection is replaced. @throws ServerStartError; SwitchedOffError;
   * RangeError for a server that is not on the list
   */
  async to(name: string): Promise<PassConnection> {
    this.options.watch?.requireOn(name);
    const present = this.opened.get(name);
    if (present !== undefined && (await present).server.endedByItself === undefined) return present;
    // Another call has replaced it during the wait.
    if (this.opened.get(name) !== present) return this.to(name);
    const opening = this.open(name);
    this.opened.set(name, opening);
    // The next one who needs it tries again.
    opening.catch(() => this.opened.delete(name));
    return opening;
  }

  get watch(): CallWatch | undefined {
    return this.options.watch;
  }

  /** Answers the questions of a call until the call ends. @param id of the call, unique among calls */
  async answering<T>(id: string, answer: AnswerCall, run: () => Promise<T>): Promise<T> {
    this.calls.set(id, answer);
    try {
      return await run();
    } finally {
      this.calls.delete(id);
    }
  }

  private async open(name: string): Promise<PassConnection & { readonly end: () => Promise<void> | void }> {
    const config = this.options.servers.get(name);
    if (config === undefined) throw new RangeError(`The server "${name}" is not on the operator's list any more.`);
    const { pool, isHeard = false } = this.options;
    let server: ConnectedServer | undefined;
    const handlers = this.handlers(() => server?.client.generation ?? '');
    if (pool !== undefined) {
      const lease = await this.leased(pool.connections, {
        config,
        ...pool.keyOf(config),
        handlers,
        owns: (callId) => this.calls.has(callId),
        ...(isHeard && { onLog: (message) => this.log.add(message) }),
      });
      server = lease.server;
      if (this.isOver) lease.release();
      return { id: lease.id, server, takeLoss: () => lease.takeLoss(), end: () => lease.release() };
    }
    const own = await connectServer(config, handlers);
    server = own;
    if (this.isOver) await own.close();
    return { id: randomUUID(), server, takeLoss: () => false, end: () => own.close() };
  }

  /** A store that is away fails no task: the pass waits for it as long as it lives. */
  private async leased(connections: ServerPool, request: LeaseRequest): Promise<Lease> {
    for (;;)
      try {
        return await connections.lease(request);
      } catch (error) {
        if (!isOutageOfStore(error) || this.options.signal.aborted) throw error;
        await wait(STORE_PAUSE_MS, undefined, { signal: this.options.signal });
      }
  }

  /** Servers are offered only the kinds of questions that can be answered. */
  private handlers(generation: () => string): ServerHandlers {
    const capabilities = this.options.asks;
    const answer = async (kind: QuestionKind, params: object, asking: Asking): Promise<object> => {
      const call = asking.callId === undefined ? undefined : this.calls.get(asking.callId);
      if (call === undefined) throw new Error('It is not known which call asks.');
      return call(questionOf(kind, params), { taskId: asking.taskId, generation: generation() });
    };
    return {
      capabilities,
      ...(capabilities.elicitation !== undefined && {
        elicitation: async (params, asking) => (await answer('elicitation', params, asking)) as ElicitResult,
      }),
      ...(capabilities.sampling !== undefined && {
        sampling: async (params, asking) => (await answer('sampling', params, asking)) as CreateMessageResult,
      }),
      ...(capabilities.roots !== undefined && {
        roots: async (asking) => ((await answer('roots', {}, asking)) as ListRootsResult).roots,
      }),
    };
  }

  /** Closes all connections. Never rejects. */
  async close(): Promise<void> {
    this.isOver = true;
    const closed = [...this.opened.values()].map(async (opening) => (await opening).end());
    await Promise.allSettled(closed);
  }
}

/** Whether an error, or what caused it, is that the store cannot be reached. */
function isOutageOfStore(error: unknown): boolean {
  if (error instanceof TaskError && error.code === 'STORE_UNAVAILABLE') return true;
  return error instanceof Error && isOutageOfStore(error.cause);
}

/** The questions that servers can ask for a task: its client can answer them, or another person does instead. */
export function askableCapabilities({ client, keptQuestions }: Pick<DurableContext, 'client' | 'keptQuestions'>): ClientCapabilities {
  const can = (capability: ClientCapability): boolean => hasCapability(client.capabilities, capability);
  const [form, url] = (['elicitation.form', 'elicitation.url'] as const).map((each) => keptQuestions.includes('elicitation') || can(each));
  const [sampling, tools, context] = (['sampling', 'sampling.tools', 'sampling.context'] as const).map(
    (each) => keptQuestions.includes('sampling') || can(each),
  );
  return {
    ...((form === true || url === true) && { elicitation: { ...(form === true && { form: {} }), ...(url === true && { url: {} }) } }),
    ...(sampling === true && { sampling: { ...(tools === true && { tools: {} }), ...(context === true && { context: {} }) } }),
    ...((keptQuestions.includes('roots') || can('roots')) && { roots: {} }),
  };
}
