/**
 * Errors that nobody catches: those of timers, events and forgotten promises. One of a feature's own code is logged
 * with the feature's name, and the process goes on, because the rest of it is not touched. After any other one nobody
 * knows what state the process is in: it ends in an orderly way, and its supervisor starts another one.
 */
import { isAway } from '@longhaul/redis/fault';
/** From now on, stray errors of this process are dealt with. */
export function watchStrayErrors({ log, blamed, shown = (error) => error, end }) {
    const isOfFeature = (error) => logOfFeature(log, blamed(), shown(error));
    process.on('uncaughtException', (error) => {
        if (isOfFeature(error))
            return;
        log.fatal({ err: error }, 'an error that nobody caught and that is of no feature: the process ends');
        end(`an error that nobody caught: ${textOf(error)}`);
    });
    process.on('unhandledRejection', (error) => {
        if (isOfFeature(error))
            return;
        // What was asked of Redis and is waited for by nobody leaves nothing half done.
        if (isOfOutage(error))
            return log.error({ err: error }, 'a rejection that nobody handled');
        log.fatal({ err: error }, 'a rejection that nobody handled and that is of no feature: the process ends');
        end(`a rejection that nobody handled: ${textOf(error)}`);
    });
}
/** @returns false where no feature is to blame */
function logOfFeature(log, feature, error) {
    if (feature === undefined)
        return false;
    const { taskId, ...named } = feature;
    log.error({ err: error, feature: named, ...(taskId !== undefined && { taskId }) }, 'an error of a feature that nobody caught');
    return true;
}
function isOfOutage(error) {
    return isAway(error) || (error instanceof Error && 'code' in error && error.code === 'STORE_UNAVAILABLE');
}
function textOf(error) {
    return error instanceof Error ? error.message : String(error);
}
//# sourceMappingURL=stray-errors.js.map