import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../../test/support/wait-until.js';
import { limitStoreErrors } from './store-error-limit.js';

/** An error of the task store. */
const storeError = (code: string, message = code): Error => Object.assign(new Error(message), { code });
const away = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' });
const full = () => new Error("OOM command not allowed when used memory > 'maxmemory'.");

function openLog(intervalMs: number) {
  const lines: { msg: string; leftOut?: number; err?: { message: string } }[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  return { lines, logger: pino({ hooks: limitStoreErrors(intervalMs) }, { write }) };
}

describe('the log of a process', () => {
  it('has one line of many that say the store is away, and one that says it is full', () => {
    const { lines, logger } = openLog(60_000);
    for (let round = 0; round < 100; round++) {
      logger.error({ err: away() }, 'redis');
      logger.warn({ err: storeError('STORE_UNAVAILABLE') }, 'store unavailable');
      logger.error({ err: new Error('a node failed', { cause: away() }) }, 'redis');
      logger.error({ err: full() }, 'a task operation failed');
      logger.warn({ err: storeError('STORE_FULL') }, 'store full');
    }
    expect(lines.map(({ msg }) => msg)).toEqual(['redis', 'a task operation failed']);
  });

  it('has the latest of the left out lines after a while, with their number, and none when there were none', async () => {
    const { lines, logger } = openLog(20);
    logger.error({ err: full() }, 'first');
    logger.child({ of: 'a child' }).error({ err: full() }, 'second');
    logger.error({ err: storeError('STORE_FULL', 'by now') }, 'third');
    await waitUntil(() => lines.length === 2, { description: 'the latest line is written' });
    expect(lines[1]).toMatchObject({ msg: 'third', leftOut: 2, err: { message: 'by now' } });
    logger.error({ err: full() }, 'fourth');
    expect(lines).toHaveLength(2);
    await waitUntil(() => lines.length === 3, { description: 'the next line is written' });
    expect(lines[2]).toMatchObject({ msg: 'fourth', leftOut: 1 });
  });

  it('has a line about an error that is its own cause', () => {
    const { lines, logger } = openLog(60_000);
    const circular = new Error('circular');
    circular.cause = new Error('its cause', { cause: circular });
    logger.error({ err: circular }, 'other');
    expect(lines).toHaveLength(1);
  });

  it('has every line that is about something else', () => {
    const { lines, logger } = openLog(60_000);
    for (const err of [new Error('bug'), storeError('STORE_CONTENTION'), 'text', undefined]) logger.error({ err }, 'other');
    logger.info('text only');
    logger.info({ taskId: 'a' }, 'fields');
    expect(lines).toHaveLength(6);
  });
});
