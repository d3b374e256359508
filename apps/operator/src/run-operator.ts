/** Runs the operator API in a process of its own: config → connect → listen → until a stop request. */
import { hostname } from 'node:os';
import { watchDeployment } from '@longhaul/sessions';
import { logOptions, watchStrayErrors } from '@longhaul/runtime';
import { listenAtAddress } from '@longhaul/runtime/listen';
import { variableWarnings } from '@longhaul/runtime/misspelt-variables';
import { endWith, type StopRequests } from '@longhaul/runtime/stop-requests';
import { openStore } from '@longhaul/store';
import { pino } from 'pino';
import { generatedToken } from './access/generated-token.js';
import type { Operator } from './access/door.js';
import { type OperatorConfig, readConfig, requirePort } from './config.js';
import { openOperator } from './open-operator.js';

/** The holder of the data folder's token. */
const OWN: Operator = { name: 'operator', role: 'operate' };

/** Runs the API that the environment describes. If the API cannot start, the process ends. */
export async function runOperator(stopRequests: StopRequests): Promise<void> {
  await start(stopRequests).catch(endWith);
}

async function start(stopRequests: StopRequests): Promise<void> {
  const config = readConfig(process.env);
  const port = requirePort(config);
  const logger = pino(logOptions(config.logLevel, { app: 'operator', pid: process.pid }));
  for (const line of variableWarnings(process.env, process.send !== undefined)) logger.warn(line);
  watchStrayErrors({ log: logger, blamed: () => undefined, end: (reason) => stopRequests.fail(reason) });
  const { tokens, tokenFile } = await tokensOf(config);
  const store = await openStore(config, {
    role: 'gateway',
    onNotice: (line) => logger.warn(line),
    onError: (error) => logger.error({ err: error }, 'store'),
  });
  const operator = await openOperator({ store, config, logger, tokens });
  const warnings = watchDeployment({
    store,
    processId: `operator-${hostname()}-${process.pid}`,
    settings: variableWarnings(process.env),
    log: logger,
  });
  process.send?.({ type: 'loaded' });
  const url = await listenAtAddress(operator.app, { host: config.opsHost, port }, { host: 'LONGHAUL_OPS_HOST', port: 'LONGHAUL_OPS_PORT' });
  operator.serveDeployment();
  logger.info({ url, ...(tokenFile !== undefined && { tokenFile }) }, 'listening');
  process.send?.({ type: 'ready', url, ...(tokenFile !== undefined && { tokenFile }) });

  stopRequests.handleWith(async (request) => {
    logger.info({ signal: request }, 'stopping');
    await operator.close();
    await warnings.stop();
    await store.close();
  });
}

async function tokensOf({ opsTokens, dataDir }: OperatorConfig): Promise<{ tokens: ReadonlyMap<string, Operator>; tokenFile?: string }> {
  if (opsTokens !== undefined) return { tokens: opsTokens };
  const { token, path } = await generatedToken(dataDir);
  return { tokens: new Map([[token, OWN]]), tokenFile: path };
}
