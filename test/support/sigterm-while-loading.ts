/** Preloaded (`--import`) into an app, sends it a SIGTERM when it comes to load the driver of Redis, long before it serves. */
export const SIGTERM_WHILE_LOADING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'ioredis') process.kill(process.pid, 'SIGTERM');
      return next(specifier, context);
    },
  });
`)}`;
