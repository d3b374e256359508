import { describe, expect, it } from 'vitest';
import { memoryCollections } from '../threads/memory-collections.fixture.js';
import { EndpointMemory } from './endpoint-memory.js';

const HOUR_MS = 3_600_000;
const M = 'http://127.0.0.1:8000/v1 m';
const OTHER = 'http://127.0.0.1:8000/v1 other';

describe('What is known of endpoints', () => {
  it('is known to another process, which adds to it', async () => {
    const { collection } = memoryCollections();
    const first = new EndpointMemory(collection(''));
    await first.learn(M, { mode: 'textual' });
    const second = new EndpointMemory(collection(''));
    await second.learn(M, { refuses: ['max_tokens'] });

    expect(await new EndpointMemory(collection('')).recall(M)).toEqual({ mode: 'textual', refuses: ['max_tokens'] });
    expect(await second.recall(OTHER)).toEqual({});
  });

  it('holds for a day from the first of it on, and is then removed for all', async () => {
    let now = 0;
    const { collection } = memoryCollections();
    const memory = new EndpointMemory(collection(''), undefined, () => now);
    await memory.learn(M, { mode: 'textual' });
    now = 23 * HOUR_MS;
    await memory.learn(M, { opensThoughts: true });
    expect(await memory.recall(M)).toEqual({ mode: 'textual', opensThoughts: true });
    now = 24 * HOUR_MS;
    expect(await memory.recall(M)).toEqual({});
    await memory.learn(OTHER, { mode: 'native' });
    const later = new EndpointMemory(collection(''), undefined, () => 0);
    expect(await later.recall(M)).toEqual({});
    expect(await later.recall(OTHER)).toEqual({ mode: 'native' });
  });

  it('is forgotten for others too', async () => {
    const { collection } = memoryCollections();
    const memory = new EndpointMemory(collection(''));
    await memory.learn(M, { mode: 'textual' });
    await memory.forget(M);

    expect(await memory.recall(M)).toEqual({});
    expect(await new EndpointMemory(collection('')).recall(M)).toEqual({});
  });

  it('is nothing where a record cannot be read', async () => {
    const { collection } = memoryCollections();
    await new EndpointMemory(collection('')).learn(M, { mode: 'textual' });
    await collection('').update((records) => ({
      changes: [...records].map(([id]) => ({ id, value: { at: Date.now(), facts: { mode: 'telepathy' } } })),
      result: undefined,
    }));

    expect(await new EndpointMemory(collection('')).recall(M)).toEqual({});
  });

  it('stays in its process while the store is away, which is said', async () => {
    const lines: string[] = [];
    const away = { read: () => Promise.reject(new Error('away')), update: () => Promise.reject(new Error('away')) };
    const memory = new EndpointMemory(away, (line) => lines.push(line));
    expect(await memory.recall(M)).toEqual({});
    await memory.learn(M, { mode: 'textual' });

    expect(await memory.recall(M)).toEqual({ mode: 'textual' });
    expect(lines).toEqual(Array(2).fill("What is known of the models' endpoints cannot be kept: Error: away"));
  });
});
