import { OperationPromise } from './operation-promise.js';
/** Operations that one message names. */
const MAX_NAMED = 5;
/** What the function has started and nobody has awaited yet. */
export class Unawaited {
    /** Names by anything that stands for the promise. */
    names = new Map();
    /**
     * The promise that the author gets of an operation. A bad name rejects it like any other failure, so that
     * `catch` sees all of them.
     */
    promise(name, ask) {
        const token = {};
        this.names.set(token, name);
        return OperationPromise.of(ask, () => void this.names.delete(token));
    }
    /** Why a workflow may not end now; nothing when everything was awaited. */
    get problem() {
        if (this.names.size === 0)
            return undefined;
        const named = [...this.names.values()].slice(0, MAX_NAMED);
        const more = this.names.size - named.length;
        const names = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
        return `The workflow has ended without having awaited ${names}: what it starts it has to await, as by Promise.all.`;
    }
}
//# sourceMappingURL=unawaited.js.map