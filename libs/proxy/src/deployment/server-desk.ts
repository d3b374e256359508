/**
 * Joins a proxy to its deployment: what operators say of its servers holds here, and what this process knows of them is reported. Until it
 * has joined one, nothing is off and nothing is reported.
 */
import type { ProcessParts } from '@longhaul/mcp-features';
import type { Metrics } from '@longhaul/runtime/telemetry';
import type { CallOutcome, CallWatch, PoolNews, ServerConfig, ServerHealth, ServerPool } from '@longhaul/servers';
import type { ServerStatus, SteeredCatalogue } from '../server-status.js';
import { CallCounts } from './call-counts.js';
import { PoolHealth } from './pool-health.js';
import { Reporter } from './reporter.js';
import type { ServerReport } from './server-report.js';
import { ServerSwitches } from './server-switches.js';
import { SwitchBoard } from './switch-board.js';
import { toolReports, totalOf } from './tool-reports.js';

/** Servers that have metrics of their own. */
const MAX_MEASURED = 500;
const BY_OPERATOR = 'was ended by an operator';

export interface DeskParts {
  readonly configs: readonly ServerConfig[];
  readonly isAlone: boolean;
  readonly pool: Pick<ServerPool, 'connectionsTo' | 'drop'>;
  readonly catalogue: SteeredCatalogue;
}

export class ServerDesk implements CallWatch {
  readonly #counts = new CallCounts();
  readonly #pooled = new PoolHealth();
  #parts: DeskParts | undefined;
  #board: SwitchBoard | undefined;
  #reporter: Reporter | undefined;
  #metrics: Metrics | undefined;
  #isGateway = false;

  isOff(server: string, tool?: string): boolean {
    return this.#board?.isOff(server, tool) ?? false;
  }

  requireOn(server: string, tool?: string): void {
    this.#board?.requireOn(server, tool);
  }

  begin(server: string, tool: string, calledAt?: number): (outcome?: CallOutcome) => void {
    this.requireOn(server, tool);
    return this.#counts.begin(server, tool, calledAt);
  }

  /** A connection of the pool is open, has failed or is lost. */
  readonly pooled = (server: string, news: PoolNews): void => {
    this.#pooled.take(server, news);
    if ('lost' in news) this.#restarted(server);
    this.#reporter?.changed();
  };

  /** A server of the catalogue is in another state. */
  readonly kept = (server: string, { state, restarts }: ServerHealth): void => {
    if (state === 'connected' && restarts > 0) this.#restarted(server);
    this.#reporter?.changed();
  };

  /** @throws TaskError `STORE_UNAVAILABLE` when it cannot be known what is off */
  async join(parts: DeskParts, { process, store, metrics, warn }: ProcessParts): Promise<void> {
    if (parts.configs.length === 0) return;
    const { pool, catalogue } = parts;
    const onError = (error: unknown): void => warn(`What operators see of servers, or say of them, is late: ${String(error)}`);
    this.#parts = parts;
    this.#metrics = metrics;
    this.#counts.metrics = metrics;
    const reporter = new Reporter({ process, reports: store.processReports, servers: () => this.#reports(), onError });
    this.#board = new SwitchBoard({
      switches: new ServerSwitches(store),
      onSwitched: () => {
        for (const { name } of parts.configs) if (this.isOff(name)) void pool.drop(name, BY_OPERATOR);
        catalogue.switched();
        reporter.changed();
      },
      onRestart: (server) => {
        void pool.drop(server, BY_OPERATOR);
        catalogue.restart(server);
      },
      onError,
    });
    await this.#board.start();
    // It uses no server.
    if (process.role === 'operator') return;
    this.#isGateway = process.role === 'gateway';
    this.#reporter = reporter;
    reporter.start();
    this.#observe();
  }

  /** Never rejects. */
  async leave(): Promise<void> {
    this.#board?.stop();
    await this.#reporter?.stop();
  }

  #restarted(server: string): void {
    this.#metrics?.add('longhaul.servers.restarts', 1, { 'longhaul.server': server });
  }

  #reports(): readonly ServerReport[] {
    if (this.#parts === undefined) return [];
    const { configs, isAlone, pool, catalogue } = this.#parts;
    const known = new Map(catalogue.servers.map((status) => [status.config.name, status]));
    return configs.map((config) => this.#report(config, known.get(config.name), { pool, isAlone }));
  }

  #report(config: ServerConfig, status: ServerStatus | undefined, { pool, isAlone }: Pick<DeskParts, 'pool' | 'isAlone'>): ServerReport {
    const { name, kind, shown } = config;
    const counts = this.#counts.of(name);
    const [kept, pooled] = [status?.health, this.#pooled.of(name)];
    const lastError = pooled.lastErrorAt > (kept?.lastErrorAt ?? 0) ? pooled : kept;
    const connections = pool.connectionsTo(name) + (kept?.state === 'connected' ? 1 : 0);
    const state = kept?.state ?? (pooled.isAway ? 'away' : connections > 0 ? 'connected' : 'idle');
    const about = kept?.about ?? pooled.about;
    return {
      name,
      shown,
      transport: kind === 'stdio' ? 'stdio' : config.transport === 'sse' ? 'sse' : 'http',
      isKept: kept !== undefined,
      state: this.isOff(name) ? 'off' : state,
      since: kept?.since ?? pooled.since,
      restarts: (kept?.restarts ?? 0) + pooled.losses,
      ...(lastError?.lastError !== undefined && { lastError: lastError.lastError, lastErrorAt: lastError.lastErrorAt }),
      ...(kept?.triedAgainAt !== undefined && { triedAgainAt: kept.triedAgainAt }),
      ...(about !== undefined && { about }),
      connections,
      ...totalOf(counts),
      tools: toolReports(config, (this.#isGateway ? status?.snapshot?.tools : undefined) ?? [], counts, isAlone),
      toolsLeftOut: 0,
    };
  }

  #observe(): void {
    const server = (name: string) => ({ 'longhaul.server': name });
    this.#metrics?.observe(['longhaul.servers.connections', 'longhaul.servers.connected', 'longhaul.servers.calls.running'], () => {
      const reports = this.#reports().slice(0, MAX_MEASURED);
      return {
        'longhaul.servers.connections': reports.map(({ name, connections }) => ({ value: connections, attributes: server(name) })),
        'longhaul.servers.calls.running': reports.map(({ name, running }) => ({ value: running, attributes: server(name) })),
        'longhaul.servers.connected': reports
          .filter(({ isKept, state }) => isKept && state !== 'off')
          .map(({ name, state }) => ({ value: state === 'connected' ? 1 : 0, attributes: server(name) })),
      };
    });
  }
}
