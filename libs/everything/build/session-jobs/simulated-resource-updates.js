import { defineSessionJob } from '@longhaul/mcp-features';
export function simulatedResourceUpdates(everyMs) {
    return defineSessionJob({
        name: 'simulated-resource-updates',
        description: 'Says of each resource that the client has subscribed to that it has changed',
        everyMs,
        async run(context) {
            for (const uri of await context.session.subscriptions())
                context.resourceUpdated(uri);
        },
    });
}
//# sourceMappingURL=simulated-resource-updates.js.map