import type { TaskId } from '@longhaul/tasks';
import type { GatewayKeys } from './session-keys.js';
import { type RunScript, type ScriptRedis, scriptOn } from './scripts/script.js';
import { type Claimant, type ClaimRequest, type ClaimStore, DETACHED_LEASE_MS } from '../claim-store.js';

/** One script, because of several streams exactly one may send the request. */
const TAKE = `
local claims = KEYS[1]
local key, stream_id, epoch, gateway, lease_ms, is_asked_for, dead_gateway =
  ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5]), ARGV[6], ARGV[7]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local json = redis.call('HGET', claims, key)
if json then
  local held = cjson.decode(json)
  local is_free = held.until_ms <= now or held.stream == stream_id or held.gateway == dead_gateway
    or (held.detached and is_asked_for == '1')
  if not is_free then return {held.stream, held.epoch, held.gateway} end
end
redis.call('HSET', claims, key, cjson.encode({stream = stream_id, epoch = epoch, gateway = gateway, until_ms = now + lease_ms, detached = false}))
if redis.call('PTTL', claims) < 2 * lease_ms then redis.call('PEXPIRE', claims, 2 * lease_ms) end
return {stream_id, epoch, gateway}
`;

/** One script, because a claim that is another one's by now must not be changed. */
const CHANGE = `
local claims = KEYS[1]
local stream_id, epoch, lease_ms, is_detached = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
for i = 5, #ARGV do
  local json = redis.call('HGET', claims, ARGV[i])
  local held = json and cjson.decode(json)
  if held and held.stream == stream_id and held.epoch == epoch then
    held.until_ms = now + lease_ms
    held.detached = is_detached == '1'
    redis.call('HSET', claims, ARGV[i], cjson.encode(held))
  end
end
if redis.call('PTTL', claims) < 2 * lease_ms then redis.call('PEXPIRE', claims, 2 * lease_ms) end
return 1
`;

/** Claims in Redis, one hash for each task. */
export class RedisClaimStore implements ClaimStore {
  readonly #take: RunScript;
  readonly #change: RunScript;

  constructor(
    redis: ScriptRedis,
    private readonly keys: GatewayKeys,
  ) {
    this.#take = scriptOn(redis, TAKE);
    this.#change = scriptOn(redis, CHANGE);
  }

  async take({ taskId, key, claimant, leaseMs, isAskedFor, deadGatewayId = '' }: ClaimRequest): Promise<Claimant> {
    const { streamId, epoch, gatewayId } = claimant;
    const reply = await this.#take(
      [this.keys.claims(taskId)],
      [key, streamId, epoch, gatewayId, leaseMs, isAskedFor ? '1' : '0', deadGatewayId],
    );
    const [heldBy, heldEpoch, heldAt] = reply as [string, number, string];
    return { streamId: heldBy, epoch: heldEpoch, gatewayId: heldAt };
  }

  async renew(taskId: TaskId, keys: readonly string[], { streamId, epoch }: Claimant, leaseMs: number): Promise<void> {
    await this.#change([this.keys.claims(taskId)], [streamId, epoch, leaseMs, '0', ...keys]);
  }

  async detach(taskId: TaskId, keys: readonly string[], { streamId, epoch }: Claimant): Promise<void> {
    await this.#change([this.keys.claims(taskId)], [streamId, epoch, DETACHED_LEASE_MS, '1', ...keys]);
  }
}
