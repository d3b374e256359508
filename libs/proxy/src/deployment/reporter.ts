/** Keeps in the store what this process says of its servers, for as long as it lives. */
import type { ProcessParts } from '@longhaul/mcp-features';
import { type ProcessReport, type ServerReport } from './server-report.js';

/** How often a report is repeated: a third of the time for which it is kept. */
const REPEAT_MS = 10_000;
/** After a change, others that come soon are a part of the same report. */
const SOON_MS = 500;
/** Of a report; the store takes no larger one. */
const MAX_BYTES = 1024 * 1024;

export interface ReporterOptions extends Pick<ProcessParts, 'process'> {
  readonly reports: ProcessParts['store']['processReports'];
  readonly servers: () => readonly ServerReport[];
  readonly onError: (error: unknown) => void;
}

export class Reporter {
  #repeat: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #putting: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(private readonly options: ReporterOptions) {}

  start(): void {
    this.#repeat = setInterval(() => this.#put(), REPEAT_MS).unref();
    this.#put();
  }

  /** Something has changed that operators want to see soon. */
  changed(): void {
    if (this.#isStopped || this.#repeat === undefined) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#put();
    }, SOON_MS).unref();
  }

  /** Has the report forgotten. Never rejects. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#repeat);
    clearTimeout(this.#soon);
    await this.#putting;
    const { reports, process, onError } = this.options;
    if (this.#repeat !== undefined) await reports.remove(process.id).catch(onError);
  }

  #put(): void {
    this.#putting = this.#putting.then(() => this.#putNow()).catch(this.options.onError);
  }

  async #putNow(): Promise<void> {
    const { reports, process, servers } = this.options;
    if (this.#isStopped) return;
    const report = { process: process.id, role: process.role, at: Date.now(), servers: [...servers()] };
    await reports.put(process.id, fitting(report));
  }
}

/** The report as JSON, with as many tools as there is room for: those that were called before the others. */
function fitting(report: ProcessReport): string {
  for (let most = Infinity; ; most = most === Infinity ? 256 : Math.floor(most / 2)) {
    const servers = report.servers.map((server) => withTools(server, most));
    const text = JSON.stringify({ ...report, servers });
    if (most === 0 || Buffer.byteLength(text) <= MAX_BYTES) return text;
  }
}

function withTools(server: ServerReport, most: number): ServerReport {
  if (server.tools.length <= most) return server;
  const tools = server.tools.toSorted((one, other) => other.calls - one.calls).slice(0, most);
  return { ...server, tools, toolsLeftOut: server.toolsLeftOut + server.tools.length - tools.length };
}
