/**
 * Runs as the thread of loop-watch.ts. It imports nothing but what Node brings, so that it runs from source as well as compiled.
 *
 * A thread that has not counted for too long is stopped twice before it is asked what it runs: one call that blocks, such as `execSync`,
 * has ended when the first stop takes effect, and the thread counts again.
 */
import { type Debugger, Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';

/** The data for the thread. */
export interface LoopWatchData {
  /** The counter of the main thread; then how long it may stay the same, milliseconds, or 0 while nothing is watched. */
  readonly shared: SharedArrayBuffer;
  /** A function of this name on `globalThis` is called in the stopped thread, within what runs there. It returns whether the process is to end. */
  readonly onLoop: string;
}

const LOOK_MS = 100;

const { shared, onLoop } = workerData as LoopWatchData;
const numbers = new Int32Array(shared);
let lastCount = -1;
let looks = 0;
let stoppedAt: number | undefined;
let isStopping = false;

setInterval(() => {
  const count = Atomics.load(numbers, 0);
  const limitMs = Atomics.load(numbers, 1);
  looks = count === lastCount ? looks + 1 : 0;
  lastCount = count;
  // Looks are counted, not time: when the machine sleeps, or the process is stopped, this thread misses as much as the other one.
  if (limitMs === 0 || looks * LOOK_MS < limitMs || isStopping) return;
  isStopping = true;
  stop(count === stoppedAt);
  stoppedAt = count;
}, LOOK_MS);

function stop(asks: boolean): void {
  const session = new Session();
  session.connectToMainThread();
  const goOn = (): void =>
    session.post('Debugger.resume', () => {
      session.disconnect();
      isStopping = false;
    });
  session.once('Debugger.paused', ({ params }) => {
    if (!asks) return goOn();
    const callFrameId = params.callFrames[0]?.callFrameId ?? '';
    const expression = `globalThis[Symbol.for(${JSON.stringify(onLoop)})](${looks * LOOK_MS})`;
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression }, (error, answer?: Debugger.EvaluateOnCallFrameReturnType) => {
      if (error === null && answer?.result.value === true) process.kill(process.pid, 'SIGKILL');
      goOn();
    });
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}
