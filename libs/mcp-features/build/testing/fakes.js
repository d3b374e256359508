import { withClientContext } from '../client-context.js';
/** What a feature can do towards a client, without a client. */
export function fakeClient({ capabilities = {}, ...answers } = {}) {
    const received = [];
    const recorder = (operation) => (...args) => {
        received.push([operation, ...args]);
    };
    return {
        received,
        client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities },
        elicit: unanswered('elicit'),
        sample: unanswered('sample'),
        listRoots: unanswered('listRoots'),
        ...answers,
        progress: recorder('progress'),
        log: recorder('log'),
        elicitationComplete: recorder('elicitationComplete'),
    };
}
function unanswered(operation) {
    return () => Promise.reject(new Error(`The test says no answer to ${operation}.`));
}
/** The context of a request that never came. */
export function fakeRequest({ client = fakeClient(), session, owner, auth, signal } = {}) {
    return withClientContext({
        ...client,
        signal: signal ?? new AbortController().signal,
        request: { id: 1, method: 'tools/call', params: {}, meta: {} },
        session,
        owner,
        auth,
        everyone: { listChanged: () => undefined, resourceUpdated: () => undefined },
        ask: (key) => Promise.reject(new Error(`The test says no answer to ${key}.`)),
        ping: () => Promise.resolve(),
        closeStream: () => undefined,
    });
}
/** A session in memory that remembers the notifications. */
export class FakeSession {
    id = 'session';
    values = new Map();
    subscribed = [];
    jobs = new Set();
    /** The lists that were reported as changed to the client. */
    changed = [];
    async get(name) {
        return structuredClone(this.values.get(name));
    }
    async set(name, value) {
        this.values.set(name, structuredClone(value));
    }
    async delete(name) {
        this.values.delete(name);
    }
    async names(prefix) {
        return [...this.values.keys()].filter((name) => name.startsWith(prefix)).toSorted();
    }
    async subscriptions() {
        return this.subscribed;
    }
    listChanged(list) {
        this.changed.push(list);
    }
    async startJob(name) {
        if (this.jobs.has(name))
            return false;
        this.jobs.add(name);
        return true;
    }
    async stopJob(name) {
        return this.jobs.delete(name);
    }
}
//# sourceMappingURL=fakes.js.map