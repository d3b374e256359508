import type { Records, RequestContext } from '@longhaul/mcp-features';
import { expect, it } from 'vitest';
import { readGraph } from './graph-collection.js';

const { signal } = new AbortController();

/** Somebody with an empty graph. */
function contextOf(key: string): Pick<RequestContext, 'owner' | 'signal'> {
  const collection = () => ({ read: async <T>(look: (records: Records) => T) => look(new Map()) });
  return { signal, owner: { key, collection } as unknown as NonNullable<RequestContext['owner']> };
}

it('has one graph of a caller become an answer at a time, and leaves a place for another caller', async () => {
  const looks: string[] = [];
  const read = (name: string): Promise<number> => readGraph(contextOf(name), { maxBytes: 1 }, () => looks.push(name));
  const reads = [...Array.from({ length: 8 }, () => read('ada')), read('bob')];

  await Promise.all([reads[0], reads[8]]);
  expect(looks).toEqual(['ada', 'bob']);

  await Promise.all(reads);
  expect(looks.filter((name) => name === 'ada')).toHaveLength(8);
});
