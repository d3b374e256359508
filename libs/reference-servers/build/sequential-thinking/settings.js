/** The environment variable of the tool, which is the reference server's. */
export function readSettings(env) {
    return { isLogged: env['DISABLE_THOUGHT_LOGGING']?.toLowerCase() !== 'true' };
}
//# sourceMappingURL=settings.js.map