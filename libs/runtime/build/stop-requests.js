/**
 * Requests to stop a gateway or worker process: SIGTERM, SIGINT, and the loss of the channel to its launcher.
 *
 * A process that is process 1 of a container does not die of a signal that it does not listen for, so the
 * listening begins before anything else is loaded: this module imports nothing, and a `main.ts` imports only
 * this and loads the rest afterwards.
 */
const REQUESTS = ['SIGTERM', 'SIGINT', 'disconnect'];
/**
 * Listens for requests to stop. The first one ends the process with exit code 0 when it has stopped, or 1 when that
 * failed; a second one ends it with 1 at once.
 */
export function listenForStopRequests() {
    let orderly = () => Promise.resolve();
    let isAsked = false;
    let isStopping = false;
    let hasFailed = false;
    const stop = (reason) => {
        if (isStopping)
            return;
        isStopping = true;
        orderly(reason, hasFailed).then(() => process.exit(hasFailed ? 1 : 0), (error) => endWith(error));
    };
    const onRequest = (request) => {
        if (isAsked)
            process.exit(1);
        isAsked = true;
        stop(request);
    };
    for (const request of REQUESTS)
        process.on(request, () => onRequest(request));
    return {
        handleWith: (stopInOrder) => void (orderly = stopInOrder),
        fail(reason) {
            hasFailed = true;
            stop(reason);
        },
    };
}
/** Ends the process with the reason on its standard error, and exit code 1. */
export function endWith(error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
}
//# sourceMappingURL=stop-requests.js.map