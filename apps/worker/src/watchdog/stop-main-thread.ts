import { type Debugger, Session } from 'node:inspector';
import { CURRENT_TASK } from './current-task.js';

/** Where the main thread stands. */
export interface StoppedThread {
  /** The innermost call first. */
  readonly stack: readonly string[];
  /** The task that the running code belongs to, if it belongs to one. */
  readonly taskId?: string;
}

const ASK_FOR_TASK = `globalThis[Symbol.for(${JSON.stringify(CURRENT_TASK)})]()`;

/** Stops the main thread for good, also in a loop that never ends. Must be called from another thread. */
export function stopMainThread(): Promise<StoppedThread> {
  return new Promise((resolve) => {
    const session = new Session();
    session.connectToMainThread();
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.scriptId, params.url));
    session.on('Debugger.paused', ({ params }) => {
      const stack = params.callFrames.map((frame) => describe(frame, urls));
      const parameters = { callFrameId: params.callFrames[0]?.callFrameId ?? '', expression: ASK_FOR_TASK };
      session.post('Debugger.evaluateOnCallFrame', parameters, (error, answer?: Debugger.EvaluateOnCallFrameReturnType) => {
        const taskId: unknown = error === null ? answer?.result.value : undefined;
        resolve({ stack, ...(typeof taskId === 'string' && { taskId }) });
      });
    });
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  });
}

function describe({ functionName, location }: Debugger.CallFrame, urls: ReadonlyMap<string, string>): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return `at ${name} (${urls.get(location.scriptId) ?? 'unknown'}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1})`;
}
