import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { isLoud } from './log-level.js';

describe('a log message', () => {
  it('is for a client that has set its level or a lower one', () => {
    expect([isLoud('warning', 'debug'), isLoud('warning', 'warning'), isLoud('warning', 'error')]).toEqual([true, true, false]);
  });

  it('of info or above is for a client that has set none', () => {
    const loud = LoggingLevelSchema.options.filter((level) => isLoud(level));

    expect(loud).toEqual(['info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
  });

  it.each([undefined, 7, 'loud', ''])('of the level %j is for nobody', (level) => {
    expect(isLoud(level, 'debug')).toBe(false);
  });
});
