/** Wrong settings, one line for each. */
export class ConfigError extends Error {
    name = 'ConfigError';
}
//# sourceMappingURL=config-error.js.map