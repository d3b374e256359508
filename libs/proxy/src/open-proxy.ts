import { HeldServers, type ServerConfig, ServerPool } from '@longhaul/servers';
import type { ProcessParts } from '@longhaul/mcp-features';
import type { OwnerRecords, Signals } from '@longhaul/sessions';
import { CallLimits } from './call-limits.js';
import { CallerGrants } from './caller-grants.js';
import { Catalogue } from './catalogue.js';
import { ServerDesk } from './deployment/server-desk.js';
import { KeptSnapshots } from './kept-snapshots.js';
import { QuickRequests } from './quick-requests.js';
import { SlowTools } from './slow-tools.js';

export interface ProxyOptions {
  readonly servers: readonly ServerConfig[];
  /** Whether nothing else is served, so that one server keeps the names of its tools. */
  readonly isAlone: boolean;
  readonly warn: (line: string) => void;
  readonly resourceUpdated: (uri: string) => void;
}

/** A proxy, with connections that open when they are needed. */
export interface Proxy {
  readonly catalogue: Catalogue;
  /**
   * Keeps what servers offer, and which tools are slow, with the records of the deployment, and reads what they offered before: to be done before the catalogue is
   * opened. Without it, nothing is kept. Never rejects.
   */
  keepIn(records: OwnerRecords, signals?: Signals): Promise<void>;
  /**
   * Makes it a part of a deployment, before its catalogue is opened: operators see and steer its servers, and what those
   * keep of sessions is shared with the other processes.
   *
   * @throws TaskError `STORE_UNAVAILABLE`
   */
  join(parts: ProcessParts): Promise<void>;
  /** Ends all connections. Never rejects. */
  close(): Promise<void>;
}

export function openProxy({ servers, isAlone, warn, resourceUpdated }: ProxyOptions): Proxy {
  const desk = new ServerDesk();
  let held: HeldServers | undefined;
  const pool = new ServerPool({ lists: 'tools', logLevel: 'debug', onHealth: desk.pooled, held: () => held });
  const kept = new KeptSnapshots(servers, warn);
  const slow = new SlowTools({ warn });
  const limits = new CallLimits();
  const grants = new CallerGrants();
  const named = { configs: servers, isAlone: isAlone && servers.length === 1 };
  const catalogue = new Catalogue({
    ...named,
    pool,
    requests: new QuickRequests({ pool, slow, grants, watch: desk, limits }),
    grants,
    slow,
    watch: desk,
    desk,
    kept,
    warn,
    resourceUpdated,
  });
  return {
    catalogue,
    keepIn: async (records, signals) => {
      await Promise.all([kept.readFrom(records, signals), slow.readFrom(records)]);
    },
    join: async (parts) => {
      const { process, store } = parts;
      grants.keepIn(store);
      const onError = (error: unknown): void =>
        parts.warn(`Sharing sessions of servers: ${error instanceof Error ? error.message : String(error)}`);
      if (process.role !== 'operator') {
        held = new HeldServers({ processId: process.id, holds: store.holds, signals: store.featureSignals, onError });
        await limits.join(parts);
      }
      await desk.join({ ...named, pool, catalogue }, parts);
      if (process.role !== 'gateway') await catalogue.openKept({ lists: process.role === 'operator' });
    },
    close: async () => {
      await desk.leave();
      await Promise.all([catalogue.close(), pool.close(), limits.close()]);
      await held?.close();
    },
  };
}
