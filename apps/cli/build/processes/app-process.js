import { fork } from 'node:child_process';
import { NODE_FLAGS } from '@longhaul/runtime/node-flags';
import { untilAborted } from '@longhaul/runtime/until-aborted';
import { within } from '@longhaul/runtime/within';
import { UserError } from '../user-error.js';
import { followChild } from './child.js';
const READY_LIMIT_MS = 30_000;
/** On top of an app's own drain deadline: to give back what did not end in time, and to close connections. */
export const AFTER_DRAIN_MS = 5_000;
/** Calls the listener with the messages of a type. */
function onMessage(child, type, listener) {
    child.on('message', (message) => {
        if (typeof message === 'object' && message !== null && 'type' in message && message.type === type)
            listener(message);
    });
}
/**
 * Holds back what the process writes to its standard error until it is ready: gateway and worker fail to start for the same reasons, and
 * the message of one of them is enough.
 *
 * @returns what is held back
 */
function heldUntilReady(child) {
    let held = '';
    let isReadyNow = false;
    child.stderr?.on('data', (chunk) => {
        if (isReadyNow)
            process.stderr.write(chunk);
        else
            held += chunk.toString();
    });
    onMessage(child, 'ready', () => {
        isReadyNow = true;
        process.stderr.write(held);
        held = '';
    });
    return () => held.trim().replace(/^The worker cannot start: /, '');
}
/**
 * Starts an app in its own session, so that Ctrl-C in the terminal reaches the launcher alone. Its output goes through
 * the launcher: a terminal that is closed must not break the app's last words, on which its orderly end may hang.
 */
export function startApp({ name, args = [], env, out = process.stdout, observer }) {
    const preloads = ['orphan-guard.js', ...(observer === undefined ? [] : ['report-imports.js'])];
    const process_ = fork(new URL('main.js', import.meta.resolve(`@longhaul/${name}`)), args, {
        execArgv: [...NODE_FLAGS, '--enable-source-maps', ...preloads.flatMap((file) => ['--import', new URL(file, import.meta.url).href])],
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    process_.stdout?.on('data', (chunk) => out.write(chunk));
    const lastWords = heldUntilReady(process_);
    const child = followChild(name, process_);
    if (observer !== undefined) {
        onMessage(process_, 'imported', ({ url }) => observer.imported(url));
        onMessage(process_, 'misfit', (task) => observer.misfit(task));
    }
    const ready = new Promise((resolve) => onMessage(process_, 'ready', resolve));
    const loaded = new Promise((resolve) => onMessage(process_, 'loaded', () => resolve()));
    const beforeItEnds = async (message, signal) => {
        const ended = child.ended.then((how) => {
            throw new UserError(lastWords() || `the ${name} did not start: ${how}`);
        });
        return within(READY_LIMIT_MS, untilAborted(Promise.race([message, ended]), signal), () => {
            throw new UserError(`the ${name} is not ready after ${READY_LIMIT_MS / 1_000} s`);
        });
    };
    return {
        ...child,
        ready: (signal) => beforeItEnds(ready, signal),
        loaded: (signal) => beforeItEnds(Promise.race([loaded, ready.then(() => undefined)]), signal),
    };
}
//# sourceMappingURL=app-process.js.map