// Preloaded into a process (`--import`): writes each module that it loads into the file of LOADED_MODULES.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const file = process.env['LOADED_MODULES'] ?? '';

registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
