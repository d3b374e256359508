import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import { type TaskId, whileReachable } from '@longhaul/tasks';
import type { GatewayKeys } from './session-keys.js';
import { type Claimant, type ClaimRequest, type ClaimStore, DETACHED_LEASE_MS } from '../claim-store.js';

/** One script, because of several streams exactly one may send the request. */
const TAKE = script({
  keys: ['claims'],
  texts: ['key', 'streamId', 'gateway', 'deadGateway?'],
  numbers: ['epoch', 'leaseMs'],
  flags: ['isAskedFor'],
  lua: `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local json = redis.call('HGET', claims, key)
if json then
  local held = cjson.decode(json)
  local is_free = held.until_ms <= now or held.stream == stream_id or held.gateway == dead_gateway
    or (held.detached and is_asked_for)
  if not is_free then return {held.stream, held.epoch, held.gateway} end
end
redis.call('HSET', claims, key, cjson.encode({stream = stream_id, epoch = epoch, gateway = gateway, until_ms = now + lease_ms, detached = false}))
if redis.call('PTTL', claims) < 2 * lease_ms then redis.call('PEXPIRE', claims, 2 * lease_ms) end
return {stream_id, epoch, gateway}
`,
  reply: ([streamId, epoch, gatewayId]: [string, number, string]): Claimant => ({ streamId, epoch, gatewayId }),
});

/** One script, because a claim that is another one's by now must not be changed. */
const CHANGE = script({
  keys: ['claims'],
  texts: ['streamId'],
  numbers: ['epoch', 'leaseMs'],
  flags: ['isDetached'],
  rest: 'firstKey',
  lua: `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
for i = first_key, #ARGV do
  local json = redis.call('HGET', claims, ARGV[i])
  local held = json and cjson.decode(json)
  if held and held.stream == stream_id and held.epoch == epoch then
    held.until_ms = now + lease_ms
    held.detached = is_detached
    redis.call('HSET', claims, ARGV[i], cjson.encode(held))
  end
end
if redis.call('PTTL', claims) < 2 * lease_ms then redis.call('PEXPIRE', claims, 2 * lease_ms) end
`,
});

/** Claims in Redis, one hash for each task. */
export class RedisClaimStore implements ClaimStore {
  readonly #take: RunScript<typeof TAKE>;
  readonly #change: RunScript<typeof CHANGE>;

  constructor(
    redis: RedisClient,
    private readonly keys: GatewayKeys,
  ) {
    this.#take = defineScript(redis, TAKE);
    this.#change = defineScript(redis, CHANGE);
  }

  async take({ taskId, key, claimant, leaseMs, isAskedFor, deadGatewayId }: ClaimRequest): Promise<Claimant> {
    const { streamId, epoch, gatewayId } = claimant;
    const args = { key, streamId, gateway: gatewayId, deadGateway: deadGatewayId, epoch, leaseMs, isAskedFor };
    return whileReachable(() => this.#take({ claims: this.keys.claims(taskId) }, args));
  }

  async renew(taskId: TaskId, keys: readonly string[], { streamId, epoch }: Claimant, leaseMs: number): Promise<void> {
    const args = { streamId, epoch, leaseMs, isDetached: false };
    await whileReachable(() => this.#change({ claims: this.keys.claims(taskId) }, args, keys));
  }

  async detach(taskId: TaskId, keys: readonly string[], { streamId, epoch }: Claimant): Promise<void> {
    const args = { streamId, epoch, leaseMs: DETACHED_LEASE_MS, isDetached: true };
    await whileReachable(() => this.#change({ claims: this.keys.claims(taskId) }, args, keys));
  }
}
