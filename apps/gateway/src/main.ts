/** Starts the gateway process. It takes stop requests from its first moment on, also while its modules are still loading. */
import { listenForStopRequests } from '@longhaul/runtime/stop-requests';

const stopRequests = listenForStopRequests();
const { runGateway } = await import('./run-gateway.js');
await runGateway(stopRequests);
