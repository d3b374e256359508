/** The tools of an agent on a terminal: those of its servers, or its own where there are none. */
import { openServers, ServerStartError } from '@longhaul/agent';
import { untilAborted } from '@longhaul/runtime/until-aborted';
import { UserError } from '../user-error.js';
import { ownTools } from './own-tools.js';
import { printable } from '../printable.js';
/** @throws UserError for a server that cannot be connected, with what it says; the reason of the signal */
export async function openTools(configs, { handlers, cleanup, signal }) {
    if (configs.length === 0)
        return { toolbox: ownTools(), policyOf: () => 'writes' };
    const opening = openServers(configs, handlers);
    // Processes of servers that have not answered yet end with this one: nobody who leaves waits for them.
    let opened;
    cleanup.add(() => opened?.close());
    try {
        opened = await untilAborted(opening, signal);
        return opened;
    }
    catch (error) {
        throw error instanceof ServerStartError || error instanceof AggregateError ? new UserError(printable(error.message)) : error;
    }
}
//# sourceMappingURL=open-tools.js.map