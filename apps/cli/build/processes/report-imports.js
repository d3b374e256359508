/**
 * Preloaded into gateway and worker (`--import`) when their files are watched: reports each file that is imported, unless it is installed.
 */
import { registerHooks } from 'node:module';
registerHooks({
    resolve(specifier, context, next) {
        const resolved = next(specifier, context);
        // With a callback a launcher that has just gone is no error.
        if (isOwn(resolved.url))
            process.send?.({ type: 'imported', url: resolved.url }, undefined, undefined, () => undefined);
        return resolved;
    },
});
function isOwn(url) {
    return url.startsWith('file:') && !url.includes('/node_modules/');
}
//# sourceMappingURL=report-imports.js.map