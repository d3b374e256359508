import { expect, it } from 'vitest';
import { PageCache } from './page-cache.js';
import type { ReadablePage } from './readable-page.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

const page = (text: string): ReadablePage => ({ prefix: '', text });

it('keeps a page for a while', async () => {
  const cache = new PageCache({ keepMs: 20, maxBytes: 1_000 });
  cache.set('a', page('first'));
  cache.set('a', page('second'));
  expect(cache.get('a')).toEqual(page('second'));
  expect(cache.get('b')).toBeUndefined();
  await waitUntil(() => cache.get('a') === undefined, { description: 'it is dropped' });
});

it('keeps the newest pages that have room, and none that is too large', () => {
  const cache = new PageCache({ keepMs: 60_000, maxBytes: 100 });
  for (const key of ['a', 'b', 'c']) cache.set(key, page('x'.repeat(20)));
  expect(['a', 'b', 'c'].filter((key) => cache.get(key) !== undefined)).toEqual(['b', 'c']);
  cache.set('b', page('x'.repeat(100)));
  expect(['a', 'b', 'c'].filter((key) => cache.get(key) !== undefined)).toEqual(['c']);
});
