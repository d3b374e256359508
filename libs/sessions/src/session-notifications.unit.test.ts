import { openMemoryStore } from '@longhaul/store-sqlite';
import { LOCAL_CHANNELS } from './local-channels.js';
import { describe, expect, it } from 'vitest';
import { type ClientNotification, createSessionNotifications } from './session-notifications.js';

describe('notifications for sessions', () => {
  it('reach nobody when they are not understood, as those of another version may be', async () => {
    const signals = openMemoryStore().signals;
    const notifications = createSessionNotifications(signals, LOCAL_CHANNELS);
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
      await signals.publish(LOCAL_CHANNELS.notifications('session'), text);
    await notifications.publish('session', { method: 'last', params: {} });
    await last.promise;

    expect(heard).toEqual([{ method: 'last', params: {} }]);
  });
});
