/** Runs a thread that ends its process when the parent process has ended, even if the process is busy. */
import { workerData } from 'node:worker_threads';

const LOOK_MS = 500;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, LOOK_MS);
