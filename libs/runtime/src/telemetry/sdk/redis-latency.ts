/** How long commands of Redis take, of a sample of them: a task takes dozens, and each that is measured costs some microseconds. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { COMMANDS, type SentCommand } from '@longhaul/redis/commands';
import type { Metrics } from '../port/telemetry.js';

/** By chance, so that what always comes in the same order is measured alike. */
const ONE_OF = 25;

/** They wait for others, so that their time says nothing of Redis. */
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

/** @returns what ends it */
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
        // A script may have been sent whole in place of its hash.
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
