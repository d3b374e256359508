/** First line of a script that Redis runs also without memory. */
export const FITS_WHEN_FULL = '#!lua flags=allow-oom\n';
/** First line of a script that Redis refuses as a whole when it has no memory. */
export const REFUSED_WHEN_FULL = '#!lua\n';
/** Has the scripts that are defined on the client from now on go through, BullMQ's too. */
export function letScriptsFit(client) {
    const define = client.defineCommand.bind(client);
    client.defineCommand = (name, definition) => {
        const { lua } = definition;
        define(name, { ...definition, lua: lua.startsWith('#!') ? lua : FITS_WHEN_FULL + lua });
    };
}
//# sourceMappingURL=when-full.js.map