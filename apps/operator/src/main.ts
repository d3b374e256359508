/** Starts the operator process. It takes stop requests from its first moment on, also while its modules are still loading. */
import { listenForStopRequests } from '@longhaul/runtime/stop-requests';

const stopRequests = listenForStopRequests();
const { runOperator } = await import('./run-operator.js');
await runOperator(stopRequests);
