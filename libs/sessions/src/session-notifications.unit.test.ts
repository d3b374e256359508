import { describe, expect, it } from 'vitest';
import { MemorySignals } from './memory/signals.js';
import { RedisKeys } from '@longhaul/tasks/redis';
import { SessionKeys } from './redis/keys.js';
import { type ClientNotification, createSessionNotifications } from './session-notifications.js';

describe('notifications for sessions', () => {
  it('reach nobody when they are not understood, as those of another version may be', async () => {
    const signals = new MemorySignals();
    const keys = new SessionKeys(new RedisKeys());
    const notifications = createSessionNotifications(signals, keys);
    const heard: ClientNotification[] = [];
    const last = Promise.withResolvers<void>();
    await notifications.subscribe('session', (notification) => {
      heard.push(notification);
      if (notification.method === 'last') last.resolve();
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
      await signals.publish(keys.notifications('session'), text);
    await notifications.publish('session', { method: 'last', params: {} });
    await last.promise;

    expect(heard).toEqual([{ method: 'last', params: {} }]);
  });
});
