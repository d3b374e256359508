import { fork, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { untilAborted } from '@longhaul/runtime/until-aborted';
import { within } from '@longhaul/runtime/within';

import { UserError } from '../user-error.js';
import { followChild, type Child } from './child.js';

const READY_LIMIT_MS = 30_000;

/** On top of an app's own drain deadline: to give back what did not end in time, and to close connections. */
export const AFTER_DRAIN_MS = 5_000;

/** A gateway or worker in a process of its own. */
export interface AppProcess extends Child {
  /** Resolves with what it said when it was ready. @throws UserError with its last words when it ends or takes too long before */
  ready(signal: AbortSignal): Promise<ReadyMessage>;
}

/** Sent by every app over the channel to its launcher once it serves. */
export interface ReadyMessage {
  readonly type: 'ready';
  /** The gateway's endpoint. */
  readonly url?: string;
}

function isReady(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}

function readyMessage(child: ChildProcess): Promise<ReadyMessage> {
  return new Promise((resolve) => {
    child.on('message', (message: unknown) => {
      if (isReady(message)) resolve(message);
    });
  });
}

/**
 * Holds back what the process writes to its standard error until it is ready: gateway and worker fail to start for the same reasons, and
 * the message of one of them is enough.
 *
 * @returns what is held back
 */
function heldUntilReady(child: ChildProcess): () => string {
  let held = '';
  let isReadyNow = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    if (isReadyNow) process.stderr.write(chunk);
    else held += chunk.toString();
  });
  child.on('message', (message: unknown) => {
    if (!isReady(message)) return;
    isReadyNow = true;
    process.stderr.write(held);
    held = '';
  });
  return () => held.trim().replace(/^The worker cannot start: /, '');
}

/** An app to be started. */
export interface AppOptions {
  readonly name: 'gateway' | 'worker';
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where its standard output goes. Default: this process's own. */
  readonly out?: Writable;
}

/**
 * Starts an app in its own session, so that Ctrl-C in the terminal reaches the launcher alone. Its output goes through
 * the launcher: a terminal that is closed must not break the app's last words, on which its orderly end may hang.
 */
export function startApp({ name, args = [], env, out = process.stdout }: AppOptions): AppProcess {
  const guard = new URL('orphan-guard.js', import.meta.url);
  const process_ = fork(new URL('main.js', import.meta.resolve(`@longhaul/${name}`)), args, {
    execArgv: ['--enable-source-maps', '--import', guard.href],
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  process_.stdout?.on('data', (chunk: Buffer) => out.write(chunk));
  const lastWords = heldUntilReady(process_);
  const child = followChild(name, process_);
  const message = readyMessage(process_);
  return {
    ...child,
    async ready(signal) {
      const ended = child.ended.then((how) => {
        throw new UserError(lastWords() || `the ${name} did not start: ${how}`);
      });
      return within(READY_LIMIT_MS, untilAborted(Promise.race([message, ended]), signal), () => {
        throw new UserError(`the ${name} is not ready after ${READY_LIMIT_MS / 1_000} s`);
      });
    },
  };
}
