import { fork, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { NODE_FLAGS } from '@longhaul/runtime/node-flags';
import { untilAborted } from '@longhaul/runtime/until-aborted';
import { within } from '@longhaul/runtime/within';

import { UserError } from '../user-error.js';
import { followChild, type Child } from './child.js';

const READY_LIMIT_MS = 30_000;

/** On top of an app's own drain deadline: to give back what did not end in time, and to close connections. */
export const AFTER_DRAIN_MS = 5_000;

/** A gateway, a worker or the operator API in a process of its own. */
export interface AppProcess extends Child {
  /** Resolves with what it said when it was ready. @throws UserError with its last words when it ends or takes too long before */
  ready(signal: AbortSignal): Promise<ReadyMessage>;
  /** The same, and a gateway that takes over need not listen yet: it has loaded everything, and waits for the other one's port. */
  loaded(signal: AbortSignal): Promise<void>;
  /** Says something to it; what has ended hears nothing. */
  tell(message: LauncherMessage): void;
}

/** A launcher's message to a gateway: whether its worker ends again and again. */
export interface LauncherMessage {
  readonly type: 'worker';
  readonly isFailing: boolean;
}

/** Sent by every app over the channel to its launcher once it serves. */
export interface ReadyMessage {
  readonly type: 'ready';
  /** The gateway's endpoint, or the address of the operator API. */
  readonly url?: string;
  /** Where the operator API has written its token. */
  readonly tokenFile?: string;
}

/**
 * Other messages of an app to its launcher: that it has loaded everything, its imports, and tasks with records that do not fit its code.
 */
export type AppMessage =
  | ReadyMessage
  | { readonly type: 'loaded' }
  | { readonly type: 'imported'; readonly url: string }
  | { readonly type: 'misfit'; readonly taskId: string; readonly tool: string; readonly misfit: string };

type MessageOf<Type> = Extract<AppMessage, { readonly type: Type }>;

/** Calls the listener with the messages of a type. */
function onMessage<const Type extends AppMessage['type']>(
  child: ChildProcess,
  type: Type,
  listener: (message: MessageOf<Type>) => void,
): void {
  child.on('message', (message: unknown) => {
    if (typeof message === 'object' && message !== null && 'type' in message && message.type === type) listener(message as MessageOf<Type>);
  });
}

/**
 * Holds back the standard error of a process until it is ready. Gateway and worker fail to start for the same reasons, and the message of
 * one of them is enough.
 *
 * @returns the text that is held back
 */
function heldUntilReady(child: ChildProcess): () => string {
  let held = '';
  let isReadyNow = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    if (isReadyNow) process.stderr.write(chunk);
    else held += chunk.toString();
  });
  onMessage(child, 'ready', () => {
    isReadyNow = true;
    process.stderr.write(held);
    held = '';
  });
  return () => held.trim().replace(/^The worker cannot start: /, '');
}

/** An app to be started. */
export interface AppOptions {
  readonly name: 'gateway' | 'worker' | 'operator';
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where its standard output goes. Default: this process's own. */
  readonly out?: Writable;
  /** Receives the process's imports of files that are not installed, and the tasks with records that do not fit its code. */
  readonly observer?: AppObserver;
}

/** Who wants to know what a process imports, and what happens to tasks in it. */
export interface AppObserver {
  imported(url: string): void;
  misfit(task: MessageOf<'misfit'>): void;
}

/**
 * Starts an app in its own session, so that Ctrl-C in the terminal reaches the launcher alone. Its output goes through
 * the launcher: a terminal that is closed must not break the app's last words, on which its orderly end may hang.
 */
export function startApp({ name, args = [], env, out = process.stdout, observer }: AppOptions): AppProcess {
  const preloads = ['orphan-guard.js', ...(observer === undefined ? [] : ['report-imports.js'])];
  const process_ = fork(new URL('main.js', import.meta.resolve(`@longhaul/${name}`)), args, {
    execArgv: [...NODE_FLAGS, '--enable-source-maps', ...preloads.flatMap((file) => ['--import', new URL(file, import.meta.url).href])],
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  process_.stdout?.on('data', (chunk: Buffer) => out.write(chunk));
  const lastWords = heldUntilReady(process_);
  const child = followChild(name, process_);
  if (observer !== undefined) {
    onMessage(process_, 'imported', ({ url }) => observer.imported(url));
    onMessage(process_, 'misfit', (task) => observer.misfit(task));
  }
  const ready = new Promise<ReadyMessage>((resolve) => onMessage(process_, 'ready', resolve));
  const loaded = new Promise<void>((resolve) => onMessage(process_, 'loaded', () => resolve()));
  const beforeItEnds = async <T>(message: Promise<T>, signal: AbortSignal): Promise<T> => {
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
    tell: (message) => {
      if (process_.connected) process_.send(message, () => undefined);
    },
    loaded: (signal) => beforeItEnds(Promise.race([loaded, ready.then(() => undefined)]), signal),
  };
}
