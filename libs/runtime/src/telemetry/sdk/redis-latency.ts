/**
 * How long commands of Redis take: ioredis says on a channel of Node's when one begins and when its answer is there. As long as
 * somebody listens to either, it copies the arguments of every command and makes a promise more for each. So only those of a tenth of
 * the time are measured, and between times nobody listens.
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
  const startedAt = new Map<CommandMessage, number>();
  let turn: NodeJS.Timeout | undefined;
  let isMeasuring = false;
  let hearsEnds = false;

  const onStart = (message: unknown): void => {
    const said = message as CommandMessage;
    if (!WAITING.has(nameOf(said))) startedAt.set(said, performance.now());
  };
  const onEnd = (message: unknown): void => {
    const said = message as CommandMessage;
    const begun = startedAt.get(said);
    if (begun === undefined) return;
    startedAt.delete(said);
    if (!isMeasuring && startedAt.size === 0) hearEnds(false);
    const failed = said.error === undefined ? {} : { 'error.type': said.error instanceof Error ? said.error.name : '_OTHER' };
    metrics.record('db.client.operation.duration', (performance.now() - begun) / 1_000, {
      'db.system.name': 'redis',
      'db.operation.name': nameOf(said),
      ...failed,
    });
  };
  const hearEnds = (hears: boolean): void => {
    if (hears === hearsEnds) return;
    hearsEnds = hears;
    if (hears) subscribe(`${CHANNEL}:asyncEnd`, onEnd);
    else unsubscribe(`${CHANNEL}:asyncEnd`, onEnd);
  };
  const measure = (): void => {
    isMeasuring = true;
    hearEnds(true);
    subscribe(`${CHANNEL}:start`, onStart);
    turn = setTimeout(pause, MEASURED_MS).unref();
  };
  // By chance, so that what happens once a second is not always, or never, measured.
  const pause = (): void => {
    isMeasuring = false;
    unsubscribe(`${CHANNEL}:start`, onStart);
    // The slowest answers come when no more commands are measured: they are waited for, though that costs more.
    if (startedAt.size === 0) hearEnds(false);
    turn = setTimeout(measure, PAUSE_MS * (0.5 + Math.random())).unref();
  };
  measure();
  return () => {
    clearTimeout(turn);
    unsubscribe(`${CHANNEL}:start`, onStart);
    hearEnds(false);
  };
}

function nameOf({ command = '' }: CommandMessage): string {
  return command.toLowerCase();
}
