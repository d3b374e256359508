/** The environment variables of the time tools. */
import { parseVariables } from '@longhaul/runtime/environment';
import { z } from 'zod';
import { checkTimeZone } from './time-zone.js';
const environment = z.object({
    LONGHAUL_LOCAL_TIMEZONE: z.string().refine(isTimeZone, 'must be the name of a time zone such as Europe/Berlin').optional(),
});
/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readSettings(env) {
    const { LONGHAUL_LOCAL_TIMEZONE } = parseVariables(environment, env);
    return { localTimeZone: LONGHAUL_LOCAL_TIMEZONE ?? Intl.DateTimeFormat().resolvedOptions().timeZone };
}
function isTimeZone(name) {
    try {
        checkTimeZone(name);
        return true;
    }
    catch {
        return false;
    }
}
//# sourceMappingURL=settings.js.map