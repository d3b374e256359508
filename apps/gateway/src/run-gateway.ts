/** A gateway in a process of its own: config → connect → listen → until a stop request. */
import { hostname } from 'node:os';
import { loadFeatures, logFeatureErrors, presentFeature } from '@longhaul/mcp-features';
import { logDestination, logOptions, watchStrayErrors } from '@longhaul/runtime';
import { openStore } from '@longhaul/store';
import { withoutMessage } from '@longhaul/tasks';
import { describeMisspelling, misspeltVariables } from '@longhaul/runtime/misspelt-variables';
import { openTelemetry, telemetrySettings } from '@longhaul/runtime/telemetry';
import { endWith, type StopRequests } from '@longhaul/runtime/stop-requests';
import { pino } from 'pino';
import { type GatewayConfig, readConfig } from './config.js';
import { openGateway } from './open-gateway.js';

const TAKE_OVER = '--take-over';

/** How long a gateway that ends may keep its port, beyond the time for what it was asked. */
const MAX_LEAVING_MS = 5_000;

/**
 * Runs the gateway that the environment describes. With a path as the argument of the process it listens on that socket, in
 * place of HOST and PORT; with `--take-over` it waits for the port until the gateway before it has left it. What it cannot start
 * with ends the process.
 */
export async function runGateway(stopRequests: StopRequests): Promise<void> {
  await start(stopRequests).catch(endWith);
}

async function start(stopRequests: StopRequests): Promise<void> {
  const config = readConfig(process.env);
  const takesOver = process.argv.includes(TAKE_OVER);
  const socketPath = process.argv.slice(2).find((argument) => argument !== TAKE_OVER);
  const logger = pino(logOptions(config.logLevel, { app: 'gateway', pid: process.pid }), await logDestination(config.logFormat));
  for (const found of misspeltVariables(process.env)) logger.warn(describeMisspelling(found));
  const hidesMessages = config.atRest !== undefined;
  logFeatureErrors(logger, hidesMessages);
  const shown = hidesMessages ? withoutMessage : undefined;
  watchStrayErrors({ log: logger, blamed: presentFeature, shown, end: (reason) => stopRequests.fail(reason) });
  const { features, instructions, notices } = await loadFeatures(config.featureModules, import.meta.url);
  for (const notice of notices) logger.warn(notice);
  const store = await openStore(config, { role: 'gateway', onError: (error) => logger.error({ err: error }, 'store') });
  const instanceId = `${hostname()}-${process.pid}`;
  const telemetry = await openTelemetry(telemetrySettings(process.env), { serviceName: 'longhaul-gateway', instanceId, log: logger });
  const address = { host: config.host, port: config.port, ...(takesOver && { waitMs: config.drainMs + MAX_LEAVING_MS }) };
  const at = socketPath === undefined ? address : { socketPath };
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
  const url = await gateway.listen();
  logger.info({ url, auth: authOf(config) }, 'listening');
  process.send?.({ type: 'ready', url });

  stopRequests.handleWith(async (request) => {
    logger.info({ signal: request }, 'stopping');
    await gateway.close();
    await telemetry?.close();
    await store.close();
  });
}

/** Listens for what the launcher says of the worker that it keeps. @returns whether that ends again and again */
function followWorker(): () => boolean {
  let isFailing = false;
  process.on('message', (message: unknown) => {
    const said = message as { readonly type?: unknown; readonly isFailing?: unknown } | null;
    if (said?.type === 'worker') isFailing = said.isFailing === true;
  });
  return () => isFailing;
}

/** Who is let in, in one word. */
function authOf({ issuers, tokens }: GatewayConfig): string {
  if (issuers !== undefined) return 'issuers';
  return tokens === undefined ? 'anonymous' : 'tokens';
}
