import { Session } from 'node:inspector';

interface CallFrame {
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number };
}

/** Where the main thread is, also in a loop that never ends. To be called from another thread; the main thread stays stopped there. */
export function mainThreadStack(): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const session = new Session();
    session.connectToMainThread();
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.scriptId, params.url));
    session.on('Debugger.paused', ({ params }) =>
      resolve((params.callFrames as readonly CallFrame[]).map((frame) => describe(frame, urls))),
    );
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  });
}

function describe({ functionName, location }: CallFrame, urls: ReadonlyMap<string, string>): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  return `at ${name} (${urls.get(location.scriptId) ?? 'unknown'}:${location.lineNumber + 1}:${location.columnNumber + 1})`;
}
