/**
 * Runs the thread of the watchdog: see watchdog.ts. It ends the process, so it relies on no part of the main thread, not even its output.
 */
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { reportStandstill } from './report.js';
import { HeldTasks } from './held-tasks.js';
import { type StoppedThread, stopMainThread } from './stop-main-thread.js';
import { Standstill } from './standstill.js';
import type { WatchdogData } from './watchdog.js';

const STANDARD_OUTPUT = 1;
/** pino's number for `fatal`. */
const FATAL = 60;
const STACK_LIMIT_MS = 3_000;
const MAX_STACK_LINES = 20;
const UNKNOWN: StoppedThread = { stack: ['unknown: the main thread does not answer'] };

const { counter, held, tickMs, maxBlockMs, logFields, reportTo } = workerData as WatchdogData;
const count = new Int32Array(counter);
const standstill = new Standstill(maxBlockMs, tickMs, performance.now());

const timer = setInterval(() => {
  if (!standstill.look(Atomics.load(count, 0), performance.now())) return;
  clearInterval(timer);
  void end();
}, tickMs);

async function end(): Promise<void> {
  // The report comes before anything that may take time: the parent must not take the end for a kill from outside.
  if (reportTo !== undefined) reportStandstill(reportTo);
  // The timer also keeps this thread alive until the answer of the main thread's inspector has come.
  const { stack, taskId } = await Promise.race([stopMainThread(), wait(STACK_LIMIT_MS, UNKNOWN)]);
  const tasks = new HeldTasks(0, held).list();
  const msg = `the process has stood still for ${maxBlockMs} ms and is ended`;
  const line = { level: FATAL, time: Date.now(), ...logFields, taskId, tasks, stack: stack.slice(0, MAX_STACK_LINES).join('\n'), msg };
  try {
    writeSync(STANDARD_OUTPUT, `${JSON.stringify(line)}\n`);
  } catch {
    // The output is closed or its reader is too slow; the process must still end.
  }
  process.kill(process.pid, 'SIGKILL');
}
