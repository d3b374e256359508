import { type DeliveryLeaseRequest, type DeliveryLeaseStore, DETACHED_LEASE_MS, type LeaseHolder } from '@longhaul/sessions/gateway';
import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import type { TaskId } from '@longhaul/tasks';
import { whileReachable } from '../tasks/store-fault.js';
import type { GatewayKeys } from '../keys/gateway.js';

/** One script, because exactly one of several streams may send the request. */
const TAKE = script({
  keys: ['leases'],
  texts: ['key', 'streamId', 'gateway', 'deadGateway?'],
  numbers: ['epoch', 'leaseMs'],
  flags: ['isAskedFor'],
  lua: `
local now = now_ms()
local json = redis.call('HGET', leases, key)
if json then
  local held = cjson.decode(json)
  local is_free = held.until_ms <= now or held.stream == stream_id or held.gateway == dead_gateway
    or (held.detached and is_asked_for)
  if not is_free then return {held.stream, held.epoch, held.gateway} end
end
redis.call('HSET', leases, key, cjson.encode({stream = stream_id, epoch = epoch, gateway = gateway, until_ms = now + lease_ms, detached = false}))
if redis.call('PTTL', leases) < 2 * lease_ms then redis.call('PEXPIRE', leases, 2 * lease_ms) end
return {stream_id, epoch, gateway}
`,
  reply: ([streamId, epoch, gatewayId]: [string, number, string]): LeaseHolder => ({ streamId, epoch, gatewayId }),
});

/** One script, because a lease that belongs to another stream by now must not be changed. */
const CHANGE = script({
  keys: ['leases'],
  texts: ['streamId'],
  numbers: ['epoch', 'leaseMs'],
  flags: ['isDetached'],
  rest: 'firstKey',
  lua: `
local now = now_ms()
for i = first_key, #ARGV do
  local json = redis.call('HGET', leases, ARGV[i])
  local held = json and cjson.decode(json)
  if held and held.stream == stream_id and held.epoch == epoch then
    held.until_ms = now + lease_ms
    held.detached = is_detached
    redis.call('HSET', leases, ARGV[i], cjson.encode(held))
  end
end
if redis.call('PTTL', leases) < 2 * lease_ms then redis.call('PEXPIRE', leases, 2 * lease_ms) end
`,
});

/** Stores delivery leases in Redis, one hash for each task. */
export class RedisDeliveryLeaseStore implements DeliveryLeaseStore {
  readonly #take: RunScript<typeof TAKE>;
  readonly #change: RunScript<typeof CHANGE>;

  constructor(
    redis: RedisClient,
    private readonly keys: GatewayKeys,
  ) {
    this.#take = defineScript(redis, TAKE);
    this.#change = defineScript(redis, CHANGE);
  }

  async take({ taskId, key, holder, leaseMs, isAskedFor, deadGatewayId }: DeliveryLeaseRequest): Promise<LeaseHolder> {
    const { streamId, epoch, gatewayId } = holder;
    const args = { key, streamId, gateway: gatewayId, deadGateway: deadGatewayId, epoch, leaseMs, isAskedFor };
    return whileReachable(() => this.#take({ leases: this.keys.deliveryLeases(taskId) }, args));
  }

  async renew(taskId: TaskId, keys: readonly string[], { streamId, epoch }: LeaseHolder, leaseMs: number): Promise<void> {
    const args = { streamId, epoch, leaseMs, isDetached: false };
    await whileReachable(() => this.#change({ leases: this.keys.deliveryLeases(taskId) }, args, keys));
  }

  async detach(taskId: TaskId, keys: readonly string[], { streamId, epoch }: LeaseHolder): Promise<void> {
    const args = { streamId, epoch, leaseMs: DETACHED_LEASE_MS, isDetached: true };
    await whileReachable(() => this.#change({ leases: this.keys.deliveryLeases(taskId) }, args, keys));
  }
}
