import { sealedState } from './state/at-rest/sealed-state.js';
import { openSqliteGatewayState } from './state/sqlite/gateway-state.js';
/**
 * What gateways share, where the backend keeps its own things.
 *
 * @throws Error with one line, when the data file is of a newer version
 */
export async function openGatewayState(backend, config) {
    const { codec } = backend;
    if (!('redis' in backend))
        return sealedState(await openSqliteGatewayState(backend, config), codec);
    const { createRedisGatewayState } = await import('./state/redis/gateway-state.js');
    return sealedState(createRedisGatewayState(backend, config), codec);
}
//# sourceMappingURL=open-gateway-state.js.map