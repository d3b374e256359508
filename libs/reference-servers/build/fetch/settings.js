/** The environment variables of Fetch. */
import { parseVariables, wholeNumber, yesOrNo } from '@longhaul/runtime/environment';
import { z } from 'zod';
const MIB = 1024 * 1024;
const environment = z.object({
    LONGHAUL_FETCH_USER_AGENT: z
        .string()
        .regex(/^[\x20-\x7e]{1,256}$/, 'must be 1 to 256 ASCII characters')
        .optional(),
    LONGHAUL_FETCH_IGNORE_ROBOTS: yesOrNo,
    LONGHAUL_FETCH_ALLOW_PRIVATE: yesOrNo,
    LONGHAUL_FETCH_PROXY_URL: z
        .string()
        // Desktop settings write socks:// for it.
        .transform((url) => url.replace(/^socks:\/\//i, 'socks5://'))
        .refine((url) => ['http:', 'https:', 'socks5:'].includes(URL.parse(url)?.protocol ?? ''), 'must be an http, https or socks5 URL')
        .optional(),
    LONGHAUL_FETCH_MAX_BYTES: wholeNumber(1, 100 * MIB, 10 * MIB),
});
/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readSettings(env) {
    const data = parseVariables(environment, env);
    return {
        userAgent: data.LONGHAUL_FETCH_USER_AGENT,
        ignoreRobots: data.LONGHAUL_FETCH_IGNORE_ROBOTS,
        allowPrivate: data.LONGHAUL_FETCH_ALLOW_PRIVATE,
        proxyUrl: data.LONGHAUL_FETCH_PROXY_URL,
        maxBytes: data.LONGHAUL_FETCH_MAX_BYTES,
    };
}
//# sourceMappingURL=settings.js.map