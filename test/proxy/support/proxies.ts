/** A proxy and the service that serves it, in the process of the test. */
import { type FeatureRegistry, createFeatureRegistry } from '@longhaul/mcp-features';
import type { OwnerRecords, Signals, Store } from '@longhaul/sessions';
import { openProxy, type Proxy, type ProxyOptions } from '@longhaul/proxy';
import { parseServers } from '@longhaul/servers';
import { startService, type TestService, type TestServiceOptions } from '../../support/gateway/gateway.js';

export interface ServedProxy {
  readonly proxy: Proxy;
  readonly features: FeatureRegistry;
  readonly service: TestService;
  readonly url: string;
  /** Lines for the operator. */
  readonly warnings: readonly string[];
}

export interface ServeOptions {
  readonly service?: TestServiceOptions;
  /** How long the start waits for servers. @defaultValue a minute */
  readonly waitMs?: number;
  /** Where is kept what servers offer. */
  readonly records?: OwnerRecords;
  /** Where other processes hear of it. */
  readonly signals?: Signals;
}

/** The proxies of one test file, closed after each test. */
export class Proxies {
  readonly #served: ServedProxy[] = [];

  async serve(mcpServers: Readonly<Record<string, object>>, options: Partial<ProxyOptions> & ServeOptions = {}): Promise<ServedProxy> {
    const { servers } = parseServers(JSON.stringify({ mcpServers }), { from: 'x.json', env: {} });
    const warnings: string[] = [];
    const { service: serviceOptions, waitMs = 60_000, records, signals, ...more } = options;
    const proxy = openProxy({ servers, isAlone: false, warn: (line) => warnings.push(line), resourceUpdated: () => undefined, ...more });
    if (records !== undefined) await proxy.keepIn(records, signals);
    await proxy.catalogue.open(waitMs);
    const features = createFeatureRegistry(proxy.catalogue);
    const service = await startService({ features, ...serviceOptions });
    const served = { proxy, features, service, url: await service.listen(), warnings };
    this.#served.push(served);
    return served;
  }

  /** Makes a proxy a part of the deployment of a service, as the process of the name. */
  join({ proxy, warnings }: Pick<ServedProxy, 'proxy' | 'warnings'>, store: Store, id: string): Promise<void> {
    return proxy.join({ process: { id, role: 'gateway' }, store, warn: (line) => void (warnings as string[]).push(line) });
  }

  async close(): Promise<void> {
    for (const { proxy, service } of this.#served.splice(0)) {
      await service.close();
      await proxy.close();
    }
  }
}
