import { within } from '@longhaul/runtime/within';
/** How long released passes may take to record that they were released, milliseconds. */
const RELEASE_MS = 2_000;
/**
 * Stops a worker in three stages, because the queue's own close waits for running jobs without limit:
 * the running passes may end by themselves for `drainMs`; then they are released to other workers,
 * and their steps are aborted; passes that are left after that are dropped, and other workers take them because this
 * worker says that it left.
 * Suspects are not released but dropped: as the passes of a worker that died, they are tried before they run beside others.
 */
export async function shutDown({ runner, gate, consumer, presence, tenants, trials, drainMs, suspects, logger }) {
    runner.drain();
    const drained = consumer.drain().then(() => true);
    if (!(await within(drainMs, drained, () => false))) {
        logger.warn({ active: consumer.active }, 'drain time is over: leaving running tasks to other workers');
        if (!suspects)
            runner.release();
        trials?.release();
        if (!suspects)
            await within(RELEASE_MS, drained, () => false);
    }
    runner.stop();
    gate.stop();
    tenants.stop();
    await Promise.all([consumer.close(), trials?.close()]);
    presence.leave();
}
//# sourceMappingURL=shutdown.js.map