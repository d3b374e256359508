import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { taskDetails } from '../methods/task-details.js';
import { accepts } from './listen-filter.js';
export class ListenStream {
    response;
    of;
    constructor(response, of) {
        this.response = response;
        this.of = of;
    }
    /** Says what the stream is about, and then what each task is like. One that is about nothing ends at once. */
    begin(followers) {
        const { filter, views } = this.of;
        const notifications = { ...filter, ...(views !== undefined && { taskIds: views.map(({ taskId }) => taskId) }) };
        this.#push('notifications/subscriptions/acknowledged', { notifications });
        if (Object.keys(filter).length === 0 && (views ?? []).length === 0)
            return this.end();
        for (const view of views ?? [])
            this.response.whenOver(this.#follow(view, followers));
    }
    /** Sends a notification, if the stream has subscribed to it. */
    notify(notification) {
        const { method, params } = notification;
        if (accepts(this.of.filter, notification))
            this.#push(method, 'uri' in params ? { uri: params['uri'] } : {});
    }
    /** Ends it with a result, by which the client knows that it can come back. */
    end() {
        const { id, serverMeta } = this.of;
        const result = { resultType: 'complete', _meta: { [SUBSCRIPTION_ID_META_KEY]: id, ...serverMeta } };
        this.response.answer({ jsonrpc: '2.0', id, result });
    }
    /** Sends the present state of a task, and each change of it, until it has ended. @returns a function that stops this */
    #follow(from, followers) {
        const { capabilities } = this.of;
        let sent = '';
        return followers.follow(from, ({ view, outcome }) => {
            const details = taskDetails(view, outcome, { capabilities, now: Date.now() });
            const visible = visiblePart(details);
            if (visible !== sent)
                this.#push('notifications/tasks', details);
            sent = visible;
        });
    }
    #push(method, params) {
        this.response.push({ method, params: { ...params, _meta: { [SUBSCRIPTION_ID_META_KEY]: this.of.id } } });
    }
}
/** What of an unended task changes for its client; progress, for one, does not show. */
function visiblePart({ status, statusMessage, inputRequests = {} }) {
    return JSON.stringify([status, statusMessage, Object.keys(inputRequests)]);
}
//# sourceMappingURL=listen-stream.js.map