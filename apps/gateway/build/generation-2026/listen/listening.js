import { TaskError } from '@longhaul/tasks';
import { accountOfRequester } from '../../state/requester.js';
import { failureOf, refusalOf } from '../../rpc/errors.js';
import { wantedOf } from './listen-filter.js';
import { ListenStream } from './listen-stream.js';
import { SharedFollowers } from './shared-followers.js';
export class Listening {
    deps;
    #followers;
    #streams = new Set();
    #unsubscribe;
    constructor(deps) {
        this.deps = deps;
        this.#followers = new SharedFollowers(deps);
    }
    /** The method. */
    get method() {
        return { name: 'subscriptions/listen', kind: 'streams', open: (request, response) => this.#open(request, response) };
    }
    /** Subscribes to what is published for all clients, by any process. */
    async start() {
        this.#unsubscribe = await this.deps.sessionNotifications.subscribeToAll((notification) => {
            for (const stream of this.#streams)
                stream.notify(notification);
        });
    }
    /** Ends all streams, whose clients come back to another gateway. */
    sayGoodbye() {
        for (const stream of this.#streams)
            stream.end();
    }
    stop() {
        this.#unsubscribe?.();
    }
    async #open(request, response) {
        const { capabilities: declared, serverMeta, places, closing } = this.deps;
        const { id, caller, requester } = request.call;
        const { filter, taskIds } = wantedOf(request, declared);
        response.whenOver(places.take(accountOfRequester(requester)));
        const views = taskIds === undefined ? undefined : await this.#existing(taskIds, caller);
        const stream = new ListenStream(response, { id, filter, views, capabilities: requester.client().capabilities, serverMeta });
        this.#streams.add(stream);
        response.whenOver(() => this.#streams.delete(stream));
        response.leaving.addEventListener('abort', () => stream.end());
        // Changes of resources are all that is published for the clients of one caller.
        if (filter.resourceSubscriptions !== undefined)
            await this.#listenToOwner(caller, stream, response);
        stream.begin(this.#followers);
        if (closing.aborted || response.leaving.aborted)
            stream.end();
    }
    /** What is published for the clients of the caller reaches the stream, from before it says that it listens. @throws Refusal while the store is away */
    async #listenToOwner({ owner }, stream, response) {
        const { owners, sessionNotifications, logger } = this.deps;
        const id = owners.idOf(owner);
        if (id === undefined)
            return;
        try {
            response.whenOver(await sessionNotifications.subscribeToOwner(id, (notification) => stream.notify(notification)));
        }
        catch (error) {
            throw refusalOf(failureOf(error, logger));
        }
    }
    /** Those of the ids that are tasks of the caller. @throws Refusal while the store is away */
    async #existing(taskIds, caller) {
        const { tasks, logger } = this.deps;
        const read = async (taskId) => {
            try {
                return await tasks.get(taskId, caller);
            }
            catch (error) {
                if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND')
                    return undefined;
                throw refusalOf(failureOf(error, logger));
            }
        };
        const found = await Promise.all(Array.from(new Set(taskIds), read));
        return found.filter((view) => view !== undefined);
    }
}
//# sourceMappingURL=listening.js.map