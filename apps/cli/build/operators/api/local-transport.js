import { readSettings } from '../../settings.js';
import { UserError } from '../../user-error.js';
import { EXIT } from './exit-codes.js';
import { localName } from './local-name.js';
import { errorOf } from './operator-api.js';
/** @throws UserError when the store cannot be used */
export async function openLocalTransport({ env, cwd }) {
    const settings = readSettings(env, cwd);
    const [{ openOperator, readConfig }, { openBackend }, { pino }, { logOptions }] = await Promise.all([
        import('@longhaul/operator'),
        import('@longhaul/sessions'),
        import('pino'),
        import('@longhaul/runtime'),
    ]);
    const config = readConfig(settings.env);
    // To standard error: standard output is for what was asked.
    const logger = pino(logOptions(config.logLevel, { app: 'cli', pid: process.pid }), process.stderr);
    const onError = (error) => logger.error({ err: error }, 'store');
    const unavailable = (error) => {
        throw new UserError(error instanceof Error ? error.message : String(error), EXIT.unavailable);
    };
    const backend = await openBackend(config, { role: 'gateway', onError }).catch(unavailable);
    const local = { name: localName(), role: 'operate' };
    const operator = await openOperator({ backend, config, logger, local }).catch(async (error) => {
        await backend.close();
        return unavailable(error);
    });
    const inject = (method, path) => ({ method, url: `/api/v1${path}`, headers: { host: 'localhost' } });
    return {
        async send(method, path, body) {
            const response = await operator.app.inject({ ...inject(method, path), ...(body !== undefined && { payload: body }) });
            return { status: response.statusCode, text: response.payload };
        },
        async stream(path, signal) {
            const response = await operator.app.inject({ ...inject('GET', path), payloadAsStream: true });
            const body = response.stream();
            signal.addEventListener('abort', () => body.destroy());
            if (response.statusCode >= 400)
                throw errorOf({ status: response.statusCode, text: Buffer.concat(await body.toArray()).toString() });
            return body;
        },
        async close() {
            await operator.close();
            await backend.close();
        },
    };
}
//# sourceMappingURL=local-transport.js.map