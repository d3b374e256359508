const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
/** Variables that are not set. */
export class MissingVariables extends Error {
    names;
    name = 'MissingVariables';
    constructor(names) {
        super(`${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not set`);
        this.names = names;
    }
}
/**
 * Puts variables of the environment in the place of `${NAME}` and `${NAME:-text}`, which is the text if the variable is not set or empty.
 *
 * @throws MissingVariables
 */
export function expandVariables(text, env) {
    const missing = new Set();
    const expanded = text.replaceAll(VARIABLE, (_, name, fallback) => {
        const value = env[name];
        if (value === undefined && fallback === undefined)
            missing.add(name);
        return fallback === undefined || (value ?? '') !== '' ? (value ?? '') : fallback;
    });
    if (missing.size > 0)
        throw new MissingVariables([...missing]);
    return expanded;
}
//# sourceMappingURL=expand-variables.js.map