import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientNotification, SessionNotifications } from '../session-notifications.js';
import { opening, waitUntil } from '@longhaul/tasks/testing';
import type { SessionContractStore } from './contract-store.js';

/** Declares the contract of notifications for sessions on every store. */
export function sessionNotificationsContract({ name, open }: SessionContractStore): void {
  describe(`notifications for sessions in ${name}`, () => {
    let sessionNotifications: SessionNotifications;
    beforeAll(opening(open, ({ store }) => ({ sessionNotifications } = store)));

    const notificationOf = (data: string): ClientNotification => ({ method: 'notifications/message', params: { level: 'info', data } });
    const arrived = (heard: readonly unknown[], count: number): Promise<unknown> =>
      waitUntil(() => heard.length === count, { description: `${count} notifications have arrived` });

    it('reach the listeners of their session only, in their order', async () => {
      const [session, other] = [randomUUID(), randomUUID()];
      const heard: ClientNotification[] = [];
      const heardElsewhere: ClientNotification[] = [];
      await sessionNotifications.subscribe(session, (notification) => heard.push(notification));
      await sessionNotifications.subscribe(other, (notification) => heardElsewhere.push(notification));
      await sessionNotifications.publish(session, notificationOf('one'));
      await sessionNotifications.publish(session, notificationOf('two'));
      await sessionNotifications.publish(other, notificationOf('three'));
      await arrived(heardElsewhere, 1);
      await arrived(heard, 2);
      expect(heard).toEqual([notificationOf('one'), notificationOf('two')]);
      expect(heardElsewhere).toEqual([notificationOf('three')]);
    });

    it('reach every listener when they are for all', async () => {
      const heard: ClientNotification[] = [];
      await sessionNotifications.subscribeToAll((notification) => heard.push(notification));
      const unsubscribe = await sessionNotifications.subscribeToAll((notification) => heard.push(notification));
      await sessionNotifications.publishToAll(notificationOf('all'));
      await arrived(heard, 2);
      unsubscribe();
      await sessionNotifications.publishToAll(notificationOf('again'));
      await arrived(heard, 3);
      expect(heard.at(-1)).toEqual(notificationOf('again'));
    });
  });
}
