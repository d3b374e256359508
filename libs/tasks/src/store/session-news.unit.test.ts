import { describe, expect, it } from 'vitest';
import { MemorySignals } from './memory-signals.js';
import { RedisKeys } from './redis-keys.js';
import { type ClientNews, createSessionNews } from './session-news.js';

describe('news for sessions', () => {
  it('are told to nobody when they are not understood, as those of another version may be', async () => {
    const signals = new MemorySignals();
    const keys = new RedisKeys();
    const news = createSessionNews(signals, keys);
    const heard: ClientNews[] = [];
    const last = Promise.withResolvers<void>();
    await news.listen('session', (told) => {
      heard.push(told);
      if (told.method === 'last') last.resolve();
    });
    for (const text of [
      '',
      'not JSON',
      'null',
      '7',
      '[]',
      '{}',
      '{"method":7,"params":{}}',
      '{"method":"a","params":[]}',
      '{"method":"a"}',
    ])
      await signals.publish(keys.sessionNews('session'), text);
    await news.tell('session', { method: 'last', params: {} });
    await last.promise;

    expect(heard).toEqual([{ method: 'last', params: {} }]);
  });
});
