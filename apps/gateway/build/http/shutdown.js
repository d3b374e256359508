import { within } from '@longhaul/runtime/within';
/** Stops a gateway: requests under way may end within `drainMs`, then their connections are cut. */
export async function shutDown({ app, drainMs, logger }) {
    const closed = app.close();
    const isClosed = await within(drainMs, closed.then(() => true), () => false);
    if (isClosed)
        return;
    logger.warn('drain time is over: cutting connections');
    app.server.closeAllConnections();
    await closed;
}
//# sourceMappingURL=shutdown.js.map