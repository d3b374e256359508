/** Declares the contracts of delivery leases and heartbeats. */
import { randomUUID } from 'node:crypto';
import type { GatewayState } from '../gateway/gateway-state.js';
import type { TaskId } from '@longhaul/tasks';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { waitUntil } from '@longhaul/tasks/testing';
import type { SessionContractStore } from './contract-store.js';
import { describeState } from './describe-state.js';

const post = { streamId: 'post', epoch: 1, gatewayId: 'a' };
const get = { streamId: 'get', epoch: 1, gatewayId: 'b' };

export function deliveryLeasesContract(store: SessionContractStore): void {
  describeState(store, 'delivery leases', (state) => {
    let deliveryLeases: GatewayState['deliveryLeases'];
    let taskId: TaskId;

    beforeAll(() => {
      ({ deliveryLeases } = state());
    });
    beforeEach(() => {
      taskId = randomUUID() as TaskId;
    });

    const take = (holder: typeof post, options: { key?: string; leaseMs?: number; isAskedFor?: boolean; deadGatewayId?: string } = {}) =>
      deliveryLeases.take({ taskId, key: 'elicit', holder, leaseMs: 60_000, isAskedFor: false, ...options });

    it('are had by one stream, for each request of its own', async () => {
      const [first, second] = await Promise.all([take(post), take(get)]);
      expect(first).toEqual(second);
      expect(await take(get, { key: 'elicit:2' })).toEqual(get);
      expect(await take(post, { key: 'elicit:2', isAskedFor: true })).toEqual(get);
    });

    it('stay with the stream when another gateway serves it', async () => {
      await take(post);
      const resumed = { ...post, epoch: 2, gatewayId: 'b' };
      expect(await take(resumed)).toEqual(resumed);
      // The gateway that served it before has nothing to say any more.
      await deliveryLeases.detach(taskId, ['elicit'], post);
      expect(await take(get, { isAskedFor: true })).toEqual(resumed);
    });

    it('end with their lease', async () => {
      await take(post, { leaseMs: 20 });
      await waitUntil(async () => (await take(get)).streamId === 'get', { description: 'the lease is over' });
    });

    it('last longer when they are renewed', async () => {
      await take(post, { leaseMs: 50 });
      await deliveryLeases.renew(taskId, ['elicit'], post, 60_000);
      await take(post, { key: 'other', leaseMs: 20 });
      await waitUntil(async () => (await take(get, { key: 'other' })).streamId === 'get', { description: 'the other lease is over' });
      expect(await take(get)).toEqual(post);
    });

    it('of a stream without a client are free for a client that asks, and for no other stream yet', async () => {
      await take(post);
      expect(await take(get, { isAskedFor: true })).toEqual(post);
      await deliveryLeases.detach(taskId, ['elicit'], post);
      expect(await take(get)).toEqual(post);
      expect(await take(get, { isAskedFor: true })).toEqual(get);
    });

    it('of a dead gateway are free', async () => {
      await take(post);
      expect(await take(get, { deadGatewayId: 'c' })).toEqual(post);
      expect(await take(get, { deadGatewayId: 'a' })).toEqual(get);
    });
  });
}

export function heartbeatsContract(store: SessionContractStore): void {
  describeState(store, 'heartbeats', (state) => {
    it('say who is alive', async () => {
      const { heartbeats } = state();
      expect(await heartbeats.isAlive('x')).toBe(false);
      await heartbeats.beat('x');
      expect([await heartbeats.isAlive('x'), await heartbeats.isAlive('y')]).toEqual([true, false]);
      await heartbeats.beat('z');
      await heartbeats.stop('x');
      expect([await heartbeats.isAlive('x'), await heartbeats.isAlive('z')]).toEqual([false, true]);
    });
  });
}
