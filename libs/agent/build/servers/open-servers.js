import { mergedToolbox } from '../tools/merged-toolbox.js';
import { connectServer } from './connect-server.js';
import { askBefore } from './server-config.js';
import { serverToolbox } from './server-toolbox.js';
/**
 * Connects servers, all at the same time.
 *
 * @throws ServerStartError if one cannot be connected, AggregateError for several; all others are disconnected then
 */
export async function openServers(configs, handlers = {}, { goesOnWithout = false } = {}) {
    const outcomes = await Promise.allSettled(configs.map((config) => connectServer(config, handlers)));
    const servers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    const close = async () => {
        await Promise.all(servers.map((server) => server.close()));
    };
    const [first] = failures;
    if (first !== undefined && !goesOnWithout) {
        await close();
        throw failures.length === 1 ? first : new AggregateError(failures, failures.map(({ message }) => message).join('\n'));
    }
    for (const [index, outcome] of outcomes.entries())
        if (outcome.status === 'rejected')
            handlers.report?.({ type: 'warning', server: configs[index]?.name ?? '', message: outcome.reason.message });
    return {
        servers,
        toolbox: mergedToolbox(servers.map((server) => serverToolbox(server))),
        policyOf: ({ server, listed }) => askBefore(listed.name, configs.find(({ name }) => name === server) ?? { ask: 'always' }),
        failures,
        close,
    };
}
//# sourceMappingURL=open-servers.js.map