import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { opening, waitUntil } from '@longhaul/tasks/testing';
/** What notifications for sessions keep to on every backend. */
export function sessionNotificationsContract({ name, open }) {
    describe(`notifications for sessions in ${name}`, () => {
        let sessionNotifications;
        beforeAll(opening(open, ({ backend }) => ({ sessionNotifications } = backend)));
        const notificationOf = (data) => ({ method: 'notifications/message', params: { level: 'info', data } });
        const arrived = (heard, count) => waitUntil(() => heard.length === count, { description: `${count} notifications have arrived` });
        it('reach the listeners of their session only, in their order', async () => {
            const [session, other] = [randomUUID(), randomUUID()];
            const heard = [];
            const heardElsewhere = [];
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
            const heard = [];
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
//# sourceMappingURL=session-notifications.contract.js.map