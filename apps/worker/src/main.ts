/** Starts the worker process. It takes stop requests from its first moment on, also while its modules are still loading. */
import { listenForStopRequests } from '@longhaul/runtime/stop-requests';

const stopRequests = listenForStopRequests();
const { runWorker } = await import('./run-worker.js');
await runWorker(stopRequests);
