/** Sends an app a SIGTERM when it loads the driver of Redis, long before it serves. It is preloaded into the app (`--import`). */
export const SIGTERM_WHILE_LOADING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'ioredis') process.kill(process.pid, 'SIGTERM');
      return next(specifier, context);
    },
  });
`)}`;
