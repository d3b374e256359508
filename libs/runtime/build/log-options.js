import { LOG_FIELDS } from './log-fields.js';
import { loggedError } from './logged-error.js';
import { limitStoreErrors } from './store-error-limit.js';
/** How every process logs: errors without the commands that failed, hashes of the ids of tasks, and an outage once a minute. @param base what every line has */
export function logOptions(level, base) {
    return { level, base, hooks: limitStoreErrors(), serializers: { ...LOG_FIELDS, err: loggedError } };
}
//# sourceMappingURL=log-options.js.map