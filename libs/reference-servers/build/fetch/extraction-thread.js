/** The thread of `extractionInThread`: one page, and its extraction. */
import { parentPort, workerData } from 'node:worker_threads';
import { extractionOf } from './extraction.js';
parentPort?.postMessage(extractionOf(workerData), []);
//# sourceMappingURL=extraction-thread.js.map