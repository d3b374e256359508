/** Serves the servers of the file that `LONGHAUL_SERVERS` names, as a feature package. */
import type { FeatureSource, GatewayParts, ProcessParts } from '@longhaul/mcp-features';
import { readServers } from '@longhaul/servers';
import { openProxy } from './open-proxy.js';

/** How long a gateway waits for servers before it serves without them. */
const OPEN_MS = 10_000;

const { LONGHAUL_SERVERS: file = '', LONGHAUL_FEATURES: modules } = process.env;
const { servers, warnings } =
  file === ''
    ? { servers: [], warnings: ['No other server is served: LONGHAUL_SERVERS is not set.'] }
    : await readServers(file, process.env, 'LONGHAUL_SERVERS');
let parts: GatewayParts | undefined;
const proxy = openProxy({
  servers,
  isAlone: modules === '@longhaul/proxy/feature',
  warn: (line) => parts?.warn(line),
  resourceUpdated: (uri) => parts?.resourceUpdated(uri),
});

/** Read by `loadFeatures`: all of them change. */
export const features = [];

/** Read by `loadFeatures`. */
export const source: FeatureSource = proxy.catalogue;

/** Read by `loadFeatures`. */
export const notices = warnings;

/** Read by `loadFeatures`: operators see and steer the servers of all processes. */
export const prepareProcess = async (given: ProcessParts): Promise<void> => {
  parts = { warn: (line) => given.warn(line), resourceUpdated: () => undefined };
  await proxy.keepIn(given.store.ownerRecords, given.store.featureSignals);
  await proxy.join(given);
};

/** Read by `loadFeatures`: only gateways list what there is. */
export const prepareGateway = async (given: GatewayParts): Promise<void> => {
  parts = given;
  await proxy.catalogue.open(OPEN_MS);
};

/** Read by `loadFeatures`. */
export const close = (): Promise<void> => proxy.close();
