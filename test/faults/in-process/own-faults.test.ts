import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { redisOf } from '../../support/stores/test-store.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { post, type RpcResponse, rpcSession } from '../../support/gateway/rpc.js';

let gateways: TestGateways | undefined;
afterEach(async () => {
  await gateways?.close();
});

it('an error of a script, or of a command, is a fault of the server: it is logged, and its answer does not say to try again', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  gateways = await startGateways({}, { logger });
  const { first, store } = gateways;
  const redis = redisOf(store);
  const session = await rpcSession(first.app);
  const [name] = await redis.redis.keys(`${redis.prefix}:*{${session.id}}`);
  // As if another program, or a mistake, had taken the name of the session's hash.
  await redis.redis.set(name ?? '', 'not a hash', 'PX', 60_000);

  const response = await post(first.app, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, session.headers);

  expect(response.json<RpcResponse>().error).toEqual({ code: -32603, message: 'Internal error' });
  expect(response.headers['retry-after']).toBeUndefined();
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 50,
      msg: 'request failed',
      err: expect.objectContaining({ message: expect.stringMatching(/^WRONGTYPE/) as unknown }) as unknown,
    }),
  );
});
