import { Session } from 'node:inspector';
import { CURRENT_TASK } from './current-task.js';
const ASK_FOR_TASK = `globalThis[Symbol.for(${JSON.stringify(CURRENT_TASK)})]()`;
/** Stops the main thread for good, also in a loop that never ends. To be called from another thread. */
export function stopMainThread() {
    return new Promise((resolve) => {
        const session = new Session();
        session.connectToMainThread();
        const urls = new Map();
        session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.scriptId, params.url));
        session.on('Debugger.paused', ({ params }) => {
            const stack = params.callFrames.map((frame) => describe(frame, urls));
            const parameters = { callFrameId: params.callFrames[0]?.callFrameId ?? '', expression: ASK_FOR_TASK };
            session.post('Debugger.evaluateOnCallFrame', parameters, (error, answer) => {
                const taskId = error === null ? answer?.result.value : undefined;
                resolve({ stack, ...(typeof taskId === 'string' && { taskId }) });
            });
        });
        session.post('Debugger.enable');
        session.post('Debugger.pause');
    });
}
function describe({ functionName, location }, urls) {
    const name = functionName === '' ? '(anonymous)' : functionName;
    return `at ${name} (${urls.get(location.scriptId) ?? 'unknown'}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1})`;
}
//# sourceMappingURL=stop-main-thread.js.map