/**
 * Warns of what makes a deployment work less well than its operators believe: a Redis that keeps nothing, a clock that is off, workers with
 * different tools, variables that are no settings. Each warning is logged once, counted in a metric, and reported to operators for as long
 * as it holds.
 */
import type { Metrics } from '@longhaul/runtime/telemetry';
import type { RegisteredWorker, StoreHealth } from '@longhaul/tasks';
import type { Store } from './whole-store.js';

/** The kinds of warnings. */
export const WARNING_CODES = ['NO_PERSISTENCE', 'CLOCK_OFF', 'OTHER_TOOLS', 'UNKNOWN_SETTING'] as const;

/** One of `WARNING_CODES`. */
export type WarningCode = (typeof WARNING_CODES)[number];

/** A warning of one process. */
export interface DeploymentWarning {
  readonly code: WarningCode;
  /** One line that says what is wrong and what to do. */
  readonly message: string;
}

/** A warning as operators see it. */
export interface ReportedWarning extends DeploymentWarning {
  /** The processes that have it. */
  readonly processes: readonly string[];
}

/** Dependencies of the warnings of a process. */
export interface DeploymentWarningsOptions {
  readonly store: Pick<Store, 'health' | 'workers' | 'processReports'>;
  /** Names the process among all. */
  readonly processId: string;
  /** Lines about variables that are no settings. */
  readonly settings: readonly string[];
  /** Of a worker: what it says of itself. */
  readonly worker?: Pick<RegisteredWorker, 'workerId' | 'tools'>;
  /** Logs a warning. Those of settings are logged by the caller. */
  readonly warn: (line: string) => void;
  readonly onError: (error: unknown) => void;
  /** @defaultValue `Date.now` */
  readonly clock?: () => number;
}

/** What a process gives to have itself watched. */
export interface WatchedProcess extends Omit<DeploymentWarningsOptions, 'warn' | 'onError'> {
  readonly log: { warn(line: string): void; error(fields: object, line: string): void };
  readonly metrics?: Metrics | undefined;
}

/** Has a process look for what makes the deployment work less well, until it stops that. */
export function watchDeployment({ log, metrics, ...options }: WatchedProcess): DeploymentWarnings {
  const warnings = new DeploymentWarnings({
    ...options,
    warn: (line) => log.warn(line),
    onError: (error) => log.error({ err: error }, 'store'),
  });
  metrics?.observe(['longhaul.warnings'], () => ({ 'longhaul.warnings': warnings.counts }));
  warnings.start();
  return warnings;
}

/** A third of the time for which a report is kept. */
const LOOK_MS = 10_000;
/** A clock may differ by this much, milliseconds. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;
/** Tools that a message names. */
const MAX_NAMED = 5;
/** Other reports of processes have ids without it. */
const REPORT = 'warnings:';

/** The warnings of one process. */
export class DeploymentWarnings {
  #present: readonly DeploymentWarning[] = [];
  readonly #logged = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isReported = false;

  constructor(private readonly options: DeploymentWarningsOptions) {}

  /** Looks now, and again all the time. */
  start(): void {
    const look = (): void => void this.look().catch(this.options.onError);
    this.#timer = setInterval(look, LOOK_MS).unref();
    look();
  }

  /** Ends that, and takes the report back. Never rejects. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#isReported) await this.options.store.processReports.remove(this.#reportId).catch(this.options.onError);
  }

  /** How many warnings of each kind there are. */
  get counts(): readonly { readonly value: number; readonly attributes: { readonly 'longhaul.warning': WarningCode } }[] {
    return WARNING_CODES.map((code) => ({
      value: this.#present.filter((warning) => warning.code === code).length,
      attributes: { 'longhaul.warning': code },
    }));
  }

  /** @throws TaskError `STORE_UNAVAILABLE` */
  async look(): Promise<void> {
    const { store, worker, settings, clock = Date.now, warn } = this.options;
    const askedAt = clock();
    const health = await store.health();
    const answeredAt = clock();
    const others = worker === undefined ? [] : await store.workers.live();
    const found: readonly (readonly [WarningCode, string | undefined])[] = [
      ['NO_PERSISTENCE', health.losesAll],
      ['CLOCK_OFF', clockWarning(health, askedAt, answeredAt)],
      ['OTHER_TOOLS', worker && toolsWarning(worker, others)],
    ];
    const ofStore = found.flatMap(([code, message]) => (message === undefined ? [] : [{ code, message }]));
    for (const { code, message } of ofStore) {
      // A clock that is off differs a little each time.
      const known = code === 'CLOCK_OFF' ? code : message;
      if (!this.#logged.has(known)) warn(message);
      this.#logged.add(known);
    }
    this.#present = [...ofStore, ...settings.map((message) => ({ code: 'UNKNOWN_SETTING' as const, message }))];
    if (this.#present.length === 0 && !this.#isReported) return;
    await store.processReports.put(this.#reportId, JSON.stringify({ warnings: this.#present }));
    this.#isReported = true;
  }

  get #reportId(): string {
    return `${REPORT}${this.options.processId}`;
  }
}

/** The warnings of all processes that are alive. @throws TaskError `STORE_UNAVAILABLE` */
export async function reportedWarnings({ processReports }: Pick<Store, 'processReports'>): Promise<readonly ReportedWarning[]> {
  const merged = new Map<string, { code: WarningCode; message: string; processes: string[] }>();
  for (const [id, text] of await processReports.all()) {
    if (!id.startsWith(REPORT)) continue;
    const { warnings } = JSON.parse(text) as { readonly warnings: readonly DeploymentWarning[] };
    for (const { code, message } of warnings) {
      const same = merged.get(message) ?? { code, message, processes: [] };
      merged.set(message, same);
      same.processes.push(id.slice(REPORT.length));
    }
  }
  const inOrder = [...merged.values()].toSorted((one, other) => WARNING_CODES.indexOf(one.code) - WARNING_CODES.indexOf(other.code));
  return inOrder.map(({ code, message, processes }) => ({ code, message, processes: processes.toSorted() }));
}

/** The store's time was read at some moment between the question and the answer. */
function clockWarning({ now }: StoreHealth, askedAt: number, answeredAt: number): string | undefined {
  const differenceMs = askedAt > now ? askedAt - now : Math.min(0, answeredAt - now);
  if (Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS) return undefined;
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  return `The clock of this process is ${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the clock of the store: times in its logs and traces are wrong. Keep both by NTP.`;
}

function toolsWarning(
  { workerId, tools }: Pick<RegisteredWorker, 'workerId' | 'tools'>,
  live: readonly RegisteredWorker[],
): string | undefined {
  for (const other of live) {
    if (other.workerId === workerId) continue;
    const [more, fewer] = [differenceOf(other.tools, tools), differenceOf(tools, other.tools)];
    if (more.length === 0 && fewer.length === 0) continue;
    const parts = [...(more.length > 0 ? [`has ${named(more)}`] : []), ...(fewer.length > 0 ? [`lacks ${named(fewer)}`] : [])];
    return `Another worker has other tools: it ${parts.join(' and ')} (version ${other.version}). This passes after a rolling deployment; two deployments need folders (LONGHAUL_DATA_DIR) or prefixes (LONGHAUL_KEY_PREFIX) of their own.`;
  }
  return undefined;
}

function differenceOf(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.filter((name) => !others.includes(name));
}

function named(tools: readonly string[]): string {
  const more = tools.length - MAX_NAMED;
  return `${tools.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
