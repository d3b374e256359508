/** A thread that ends its process when the parent of that is gone, however busy the process is. */
import { workerData } from 'node:worker_threads';

const LOOK_MS = 500;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, LOOK_MS);
