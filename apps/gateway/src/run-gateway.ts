/** Runs a gateway in a process of its own: config → connect → listen → until a stop request. */
import { hostname } from 'node:os';
import { adviceForClients, loadFeatures, logFeatureErrors, presentFeature } from '@longhaul/mcp-features';
import { logDestination, logOptions, watchStrayErrors } from '@longhaul/runtime';
import { resourceUpdatedNotification, type Store, watchDeployment } from '@longhaul/sessions';
import { openStore } from '@longhaul/store';
import { withoutMessage } from '@longhaul/tasks';
import { variableWarnings } from '@longhaul/runtime/misspelt-variables';
import { openTelemetry, telemetrySettings } from '@longhaul/runtime/telemetry';
import { endWith, type StopRequests } from '@longhaul/runtime/stop-requests';
import { type Logger, pino } from 'pino';
import { type GatewayConfig, readConfig } from './config.js';
import { openGateway } from './open-gateway.js';

const TAKE_OVER = '--take-over';

/** How long an ending gateway may keep its port, in addition to the time for running requests. */
const MAX_LEAVING_MS = 5_000;

/**
 * Runs the gateway that the environment describes. With a path as the argument of the process it listens on that socket, instead of HOST
 * and PORT; with `--take-over` it waits until the previous gateway has left the port. If it cannot start, the process ends.
 */
export async function runGateway(stopRequests: StopRequests): Promise<void> {
  await start(stopRequests).catch(endWith);
}

async function start(stopRequests: StopRequests): Promise<void> {
  const config = readConfig(process.env);
  const takesOver = process.argv.includes(TAKE_OVER);
  const socketPath = process.argv.slice(2).find((argument) => argument !== TAKE_OVER);
  const logger = pino(logOptions(config.logLevel, { app: 'gateway', pid: process.pid }), await logDestination(config.logFormat));
  for (const line of variableWarnings(process.env, process.send !== undefined)) logger.warn(line);
  const hidesMessages = config.atRest !== undefined;
  logFeatureErrors(logger, hidesMessages);
  const shown = hidesMessages ? withoutMessage : undefined;
  watchStrayErrors({ log: logger, blamed: presentFeature, shown, end: (reason) => stopRequests.fail(reason) });
  const { features, instructions, notices, prepareProcess, prepareGateway, close } = await loadFeatures(
    config.featureModules,
    import.meta.url,
  );
  for (const notice of [...notices, ...adviceForClients(features.tools, config.server.name)]) logger.warn(notice);
  const store = await storeOf(config, logger);
  const instanceId = `${hostname()}-${process.pid}`;
  const telemetry = await openTelemetry(telemetrySettings(process.env), { serviceName: 'longhaul-gateway', instanceId, log: logger });
  await prepareProcess({
    process: { id: `gateway-${instanceId}`, role: 'gateway' },
    store,
    metrics: telemetry?.metrics,
    warn: (line) => logger.warn(line),
  });
  await prepareGateway({ resourceUpdated: (uri) => publishUpdate(uri, store, logger), warn: (line) => logger.warn(line) });
  const at = socketPath === undefined ? addressOf(config, takesOver) : { socketPath };
  const gateway = await openGateway({
    store,
    config,
    features,
    instructions,
    logger,
    at,
    telemetry,
    isWorkerFailing: followWorker(),
  });
  process.send?.({ type: 'loaded' });
  const warnings = watchDeployment({
    store,
    processId: `gateway-${instanceId}`,
    settings: variableWarnings(process.env),
    metrics: telemetry?.metrics,
    log: logger,
  });
  const url = await gateway.listen();
  logger.info({ url, auth: authOf(config) }, 'listening');
  process.send?.({ type: 'ready', url });

  stopRequests.handleWith(async (request) => {
    logger.info({ signal: request }, 'stopping');
    await gateway.close();
    await warnings.stop();
    await close();
    await telemetry?.close();
    await store.close();
  });
}

function publishUpdate(uri: string, { sessionNotifications }: Store, logger: Logger): void {
  void sessionNotifications
    .publishToAll(resourceUpdatedNotification(uri))
    .catch((error: unknown) => logger.warn({ err: error }, 'notification not published'));
}

function addressOf({ host, port, drainMs }: GatewayConfig, takesOver: boolean) {
  return { host, port, ...(takesOver && { waitMs: drainMs + MAX_LEAVING_MS }) };
}

function storeOf(config: GatewayConfig, logger: Logger): Promise<Store> {
  return openStore(config, {
    role: 'gateway',
    onNotice: (line) => logger.warn(line),
    onError: (error) => logger.error({ err: error }, 'store'),
  });
}

/** Listens to the launcher's reports about its worker. @returns whether that worker ends again and again */
function followWorker(): () => boolean {
  let isFailing = false;
  process.on('message', (message: unknown) => {
    const said = message as { readonly type?: unknown; readonly isFailing?: unknown } | null;
    if (said?.type === 'worker') isFailing = said.isFailing === true;
  });
  return () => isFailing;
}

/** How callers authenticate, in one word. */
function authOf({ issuers, tokens }: GatewayConfig): string {
  if (issuers !== undefined) return 'issuers';
  return tokens === undefined ? 'anonymous' : 'tokens';
}
