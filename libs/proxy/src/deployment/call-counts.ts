/** Counts the calls of tools of servers in this process, for operators and as metrics. */
import type { CallOutcome } from '@longhaul/servers';
import { DurationHistogram } from '@longhaul/runtime/duration-histogram';
import type { Metrics } from '@longhaul/runtime/telemetry';

/** Tools of all servers that are counted by themselves; those beyond are counted together. */
const MAX_TOOLS = 1_000;
const OTHERS = '(others)';

/** The calls of one tool. */
export interface ToolCounts {
  calls: number;
  errors: number;
  running: number;
  readonly durations: DurationHistogram;
}

export class CallCounts {
  readonly #servers = new Map<string, Map<string, ToolCounts>>();
  #tools = 0;
  metrics: Pick<Metrics, 'record'> | undefined;

  /** The tools of a server that were called, by the names that it gives them. */
  of(server: string): ReadonlyMap<string, ToolCounts> {
    return this.#servers.get(server) ?? new Map<string, ToolCounts>();
  }

  /** As `CallWatch.begin`. Only a tool that is listed may be named here: metrics use the same names. */
  begin(server: string, tool: string, calledAt = Date.now()): (outcome?: CallOutcome) => void {
    const [name, counts] = this.#countsOf(server, tool);
    counts.running += 1;
    return (outcome) => {
      counts.running -= 1;
      if (outcome === undefined) return;
      const ms = Math.max(0, Date.now() - calledAt);
      counts.calls += 1;
      if (outcome !== 'result' && outcome !== 'cancelled') counts.errors += 1;
      counts.durations.record(ms);
      this.metrics?.record('mcp.client.operation.duration', ms / 1_000, {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': name,
        'longhaul.server': server,
        ...(outcome !== 'result' && { 'error.type': outcome }),
      });
    };
  }

  #countsOf(server: string, tool: string): [string, ToolCounts] {
    const tools = this.#servers.get(server) ?? new Map<string, ToolCounts>();
    this.#servers.set(server, tools);
    const known = tools.get(tool);
    if (known !== undefined) return [tool, known];
    const name = this.#tools >= MAX_TOOLS ? OTHERS : tool;
    const counts = tools.get(name) ?? { calls: 0, errors: 0, running: 0, durations: new DurationHistogram() };
    if (!tools.has(name)) this.#tools += 1;
    tools.set(name, counts);
    return [name, counts];
  }
}
