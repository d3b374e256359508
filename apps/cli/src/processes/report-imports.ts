/**
 * Preloaded into gateway and worker (`--import`) when their files are watched: reports each file that is imported, unless it is installed.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/'))
      process.send?.({ type: 'imported', url: resolved.url });
    return resolved;
  },
});
