/**
 * Runs the operator API in this process, on the store of the settings. No token is needed: a user who may open the data file or Redis may
 * do everything anyway. Except for the network, requests take the same path as over HTTP.
 */
import { existsSync } from 'node:fs';
import type { Terminal } from '../../terminal.js';
import { readSettings } from '../../settings.js';
import { UserError } from '../../user-error.js';
import { EXIT } from './exit-codes.js';
import { localName } from './local-name.js';
import { errorOf, type Method, type Transport } from './operator-api.js';

/** @throws UserError when the store cannot be used, or there is none */
export async function openLocalTransport({ env, cwd }: Terminal): Promise<Transport> {
  const settings = readSettings(env, cwd);
  const [{ openOperator, readConfig }, { openStore }, { pino }, { logOptions }] = await Promise.all([
    import('@longhaul/operator'),
    import('@longhaul/store'),
    import('pino'),
    import('@longhaul/runtime'),
  ]);
  const config = readConfig(settings.env);
  // Modules of features read them where other processes have them.
  for (const name of ['LONGHAUL_FEATURES', 'LONGHAUL_SERVERS'] as const)
    if (settings.env[name] !== undefined) process.env[name] = settings.env[name];
  requireDataFile(config.dataFile?.path);
  // To standard error: standard output is for the result.
  const logger = pino(logOptions(config.logLevel, { app: 'cli', pid: process.pid }), process.stderr);
  const onError = (error: unknown): void => logger.error({ err: error }, 'store');
  const unavailable = (error: unknown): never => {
    throw new UserError(error instanceof Error ? error.message : String(error), EXIT.unavailable);
  };
  const store = await openStore(config, { role: 'gateway', onError }).catch(unavailable);
  const local = { name: localName(), role: 'operate' } as const;
  const operator = await openOperator({ store, config, logger, local }).catch(async (error: unknown) => {
    await store.close();
    return unavailable(error);
  });
  const inject = (method: Method, path: string) => ({ method, url: `/api/v1${path}`, headers: { host: 'localhost' } });
  return {
    async send(method, path, body) {
      const response = await operator.app.inject({ ...inject(method, path), ...(body !== undefined && { payload: body as object }) });
      return { status: response.statusCode, text: response.payload };
    },
    async stream(path, signal) {
      const response = await operator.app.inject({ ...inject('GET', path), payloadAsStream: true });
      const body = response.stream();
      signal.addEventListener('abort', () => body.destroy());
      if (response.statusCode >= 400) throw errorOf({ status: response.statusCode, text: Buffer.concat(await body.toArray()).toString() });
      return body;
    },
    async close() {
      await operator.close();
      await store.close();
    },
  };
}

/** A new file would show zeros for the deployment that is meant. */
function requireDataFile(path: string | undefined): void {
  if (path === undefined || existsSync(path)) return;
  throw new UserError(
    `there is no deployment here: no data file at ${path}. Start one with npx longhaul start, or name yours: its folder with LONGHAUL_DATA_DIR, its Redis with REDIS_URL, or its operator API with LONGHAUL_OPS_URL`,
    EXIT.unavailable,
  );
}
