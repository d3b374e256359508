/**
 * Serves `subscriptions/listen`: the streams of this process. Any process may cause a change; a client that comes back misses no state of
 * its tasks, because it gets their present state again.
 */
import { accountOfRequester } from '@longhaul/sessions/gateway';
import type { SessionNotifications } from '@longhaul/sessions';
import { TaskError, type TaskSnapshot, type Unsubscribe } from '@longhaul/tasks';
import type { ServerCapabilities } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { TaskCaller } from '../../rpc/caller.js';
import type { Owners } from '../../rpc/features/owners.js';
import { failureOf, refusalOf } from '../../rpc/errors.js';
import type { CallResponse } from '../requests/call-response.js';
import type { ModernMethod } from '../requests/modern-method.js';
import type { RequestCall } from '../requests/request-call.js';
import type { ServerMeta } from '../requests/results.js';
import { wantedOf } from './listen-filter.js';
import type { ListenSlots } from './listen-slots.js';
import { ListenStream } from './listen-stream.js';
import { SharedFollowers } from './shared-followers.js';
import type { ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';

/** The parts of listening. */
export interface ListeningDeps {
  readonly tasks: ScopedTasks;
  readonly sessionNotifications: SessionNotifications;
  readonly owners: Pick<Owners, 'idOf'>;
  /** The server's capabilities. */
  readonly capabilities: ServerCapabilities;
  /** A client wants to know when this resource changes. */
  readonly watch: (uri: string, account: string) => void;
  readonly serverMeta: ServerMeta;
  readonly slots: ListenSlots;
  readonly logger: Logger;
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

export class Listening {
  readonly #followers: SharedFollowers;
  readonly #streams = new Set<ListenStream>();
  #unsubscribe: Unsubscribe | undefined;

  constructor(private readonly deps: ListeningDeps) {
    this.#followers = new SharedFollowers(deps);
  }

  /** The method. */
  get method(): ModernMethod {
    return { name: 'subscriptions/listen', kind: 'streams', open: (request, response) => this.#open(request, response) };
  }

  /** Subscribes to notifications for all clients, which any process may publish. */
  async start(): Promise<void> {
    this.#unsubscribe = await this.deps.sessionNotifications.subscribeToAll((notification) => {
      for (const stream of this.#streams) stream.notify(notification);
    });
  }

  /** Ends all streams; their clients come back to another gateway. */
  sayGoodbye(): void {
    for (const stream of this.#streams) stream.end();
  }

  stop(): void {
    this.#unsubscribe?.();
  }

  async #open(request: RequestCall, response: CallResponse): Promise<void> {
    const { capabilities: declared, serverMeta, slots, closing } = this.deps;
    const { id, caller, requester } = request.call;
    const { filter, taskIds } = wantedOf(request, declared);
    const account = accountOfRequester(requester);
    response.whenOver(slots.take(account));
    const snapshots = taskIds === undefined ? undefined : await this.#existing(taskIds, caller);
    for (const uri of filter.resourceSubscriptions ?? []) this.deps.watch(uri, account);
    const stream = new ListenStream(response, { id, filter, tasks: snapshots, capabilities: requester.client().capabilities, serverMeta });
    this.#streams.add(stream);
    response.whenOver(() => this.#streams.delete(stream));
    response.leaving.addEventListener('abort', () => stream.end());
    // Only changes of resources are published for the clients of one caller.
    if (filter.resourceSubscriptions !== undefined) await this.#listenToOwner(caller, stream, response);
    stream.begin(this.#followers);
    if (closing.aborted || response.leaving.aborted) stream.end();
  }

  /**
   * Subscribes the stream to notifications for the caller's clients, before it confirms that it listens. @throws Refusal while the store is
   * unreachable
   */
  async #listenToOwner({ owner }: TaskCaller, stream: ListenStream, response: CallResponse): Promise<void> {
    const { owners, sessionNotifications, logger } = this.deps;
    const id = owners.idOf(owner);
    if (id === undefined) return;
    try {
      response.whenOver(await sessionNotifications.subscribeToOwner(id, (notification) => stream.notify(notification)));
    } catch (error) {
      throw refusalOf(failureOf(error, logger));
    }
  }

  /** The ids that are tasks of the caller. @throws Refusal while the store is unreachable */
  async #existing(taskIds: readonly string[], caller: TaskCaller): Promise<readonly TaskSnapshot[]> {
    const { tasks, logger } = this.deps;
    const read = async (taskId: string): Promise<TaskSnapshot | undefined> => {
      try {
        // The stream shows a task as `tasks/get` does.
        return await tasks.getWithOutcome(taskId, caller);
      } catch (error) {
        if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
        throw refusalOf(failureOf(error, logger));
      }
    };
    const found = await Promise.all(Array.from(new Set(taskIds), read));
    return found.filter((snapshot) => snapshot !== undefined);
  }
}
