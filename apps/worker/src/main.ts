/** The worker process. It can be told to stop from its first moment on, and not only when all that it is made of has been loaded. */
import { listenForStopRequests } from '@longhaul/runtime/stop-requests';

const stopRequests = listenForStopRequests();
const { runWorker } = await import('./run-worker.js');
await runWorker(stopRequests);
