/**
 * Requests to stop a gateway or worker process: SIGTERM, SIGINT, and the loss of the channel to its launcher.
 *
 * Process 1 of a container does not die of a signal that it does not listen for, so listening begins before anything else is loaded: this
 * module imports nothing, and a `main.ts` imports only this and loads the rest afterwards.
 */

/** Stops in an orderly way, on a request or because the process has failed; resolves when the process may end. */
export type Stop = (reason: string, hasFailed: boolean) => Promise<void>;

/** The reactions to a request to stop. */
export interface StopRequests {
  /** Before this call, a request ends the process at once, with exit code 0: it has begun nothing that others wait for. */
  handleWith(stop: Stop): void;
  /** Stops as on a request, because the process has failed: it ends with exit code 1. Has no effect while the process stops. */
  fail(reason: string): void;
}

const REQUESTS = ['SIGTERM', 'SIGINT', 'disconnect'] as const;

/**
 * Listens for requests to stop. The first request stops the process, which then ends with exit code 0, or with 1 when the stop failed; a
 * second request ends it with 1 at once.
 */
export function listenForStopRequests(): StopRequests {
  let orderly: Stop = () => Promise.resolve();
  let isAsked = false;
  let isStopping = false;
  let hasFailed = false;
  const stop = (reason: string): void => {
    if (isStopping) return;
    isStopping = true;
    orderly(reason, hasFailed).then(
      () => process.exit(hasFailed ? 1 : 0),
      (error: unknown) => endWith(error),
    );
  };
  const onRequest = (request: string): void => {
    if (isAsked) process.exit(1);
    isAsked = true;
    stop(request);
  };
  for (const request of REQUESTS) process.on(request, () => onRequest(request));
  return {
    handleWith: (stopInOrder) => void (orderly = stopInOrder),
    fail(reason) {
      hasFailed = true;
      stop(reason);
    },
  };
}

/** Ends the process with the reason on its standard error, and exit code 1. */
export function endWith(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
