/**
 * How long commands of Redis take: ioredis says on a channel of Node's when one begins and when its answer is there. As long as
 * somebody listens it copies the arguments of every command, so that only those of a tenth of the time are measured.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Metrics } from '../port/telemetry.js';

const CHANNEL = 'tracing:ioredis:command';
const MEASURED_MS = 100;
const PAUSE_MS = 900;

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

/** What is said of one command: the same object at its begin and at its end. */
interface CommandMessage {
  readonly command?: string;
  readonly error?: unknown;
}

/** @returns what ends it */
export function watchRedis(metrics: Metrics): () => void {
  const startedAt = new WeakMap<CommandMessage, number>();
  const onStart = (message: unknown): void => void startedAt.set(message as CommandMessage, performance.now());
  const onEnd = (message: unknown): void => {
    const { command = '', error } = message as CommandMessage;
    const name = command.toLowerCase();
    const begun = startedAt.get(message as CommandMessage);
    if (begun === undefined || WAITING.has(name)) return;
    startedAt.delete(message as CommandMessage);
    const failed = error === undefined ? {} : { 'error.type': error instanceof Error ? error.name : '_OTHER' };
    metrics.record('db.client.operation.duration', (performance.now() - begun) / 1_000, {
      'db.system.name': 'redis',
      'db.operation.name': name,
      ...failed,
    });
  };
  let turn: NodeJS.Timeout | undefined;
  const measure = (): void => {
    subscribe(`${CHANNEL}:start`, onStart);
    turn = setTimeout(pause, MEASURED_MS).unref();
  };
  // By chance, so that what happens once a second is not always, or never, measured.
  const pause = (): void => {
    unsubscribe(`${CHANNEL}:start`, onStart);
    turn = setTimeout(measure, PAUSE_MS * (0.5 + Math.random())).unref();
  };
  // Answers may come when nobody listens for commands any more.
  subscribe(`${CHANNEL}:asyncEnd`, onEnd);
  measure();
  return () => {
    clearTimeout(turn);
    unsubscribe(`${CHANNEL}:start`, onStart);
    unsubscribe(`${CHANNEL}:asyncEnd`, onEnd);
  };
}
