/**
 * Reports each imported file to the launcher, unless it is installed. It is preloaded into gateway and worker (`--import`) when their files
 * are watched.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    // With a callback a launcher that has just gone is no error.
    if (isOwn(resolved.url)) process.send?.({ type: 'imported', url: resolved.url }, undefined, undefined, () => undefined);
    return resolved;
  },
});

function isOwn(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/');
}
