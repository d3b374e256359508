import { expect, it } from 'vitest';
import { rareWarnings } from './rare-warnings.js';

it('a warning is logged once a minute, with how often it came', () => {
  const lines: unknown[][] = [];
  let now = 0;
  const warn = rareWarnings({ warn: (...line: unknown[]) => void lines.push(line) }, () => now);
  for (let n = 0; n < 5; n++) warn('full', { address: 'a' });
  warn('slow');
  now = 60_000;
  warn('full', { address: 'b' });
  expect(lines).toEqual([
    [{ address: 'a', times: 1 }, 'full'],
    [{ times: 1 }, 'slow'],
    [{ address: 'b', times: 5 }, 'full'],
  ]);
});
