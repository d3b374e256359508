/** Measures how long a sample of Redis commands takes: a task needs dozens of commands, and each measurement costs some microseconds. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { COMMANDS, type SentCommand } from '@longhaul/redis/commands';
import type { Metrics } from '../port/telemetry.js';

/** The choice is random, so that commands in a fixed order are all measured equally often. */
const ONE_OF = 25;

/** These commands wait for other clients, so their time says nothing about Redis. */
const WAITING = new Set([
  'bzpopmin',
  'bzpopmax',
  'blpop',
  'brpop',
  'blmove',
  'brpoplpush',
  'xread',
  'xreadgroup',
  'subscribe',
  'unsubscribe',
  'psubscribe',
  'wait',
]);

/** @returns a function that stops it */
export function watchRedis(metrics: Metrics): () => void {
  const known = new WeakSet<SentCommand>();

  const onCommand = (message: unknown): void => {
    if (Math.random() * ONE_OF >= 1) return;
    const command = message as SentCommand;
    if (WAITING.has(nameOf(command)) || known.has(command)) return;
    known.add(command);
    const since = performance.now();
    const onEnd = (failed: { readonly 'error.type'?: string }): void =>
      metrics.record('db.client.operation.duration', (performance.now() - since) / 1_000, {
        'db.system.name': 'redis',
        // A script may have been sent in full instead of its hash.
        'db.operation.name': nameOf(command),
        ...failed,
      });
    command.promise.then(
      () => onEnd({}),
      (error: unknown) => onEnd({ 'error.type': error instanceof Error ? error.name : '_OTHER' }),
    );
  };

  subscribe(COMMANDS, onCommand);
  return () => void unsubscribe(COMMANDS, onCommand);
}

function nameOf({ name }: SentCommand): string {
  return name.toLowerCase();
}
