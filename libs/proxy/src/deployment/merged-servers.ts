/** Puts what all processes say of their servers together with what operators have said of them. */
import { DurationHistogram, type KeptDurations } from '@longhaul/runtime/duration-histogram';
import { type ProcessReport, type ServerReport, type ToolReport } from './server-report.js';
import type { Said, ServerSwitch } from './server-switches.js';

/** How long calls took, milliseconds; nothing before the first one has ended. */
interface Percentiles {
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

/** A server as one process knows it. */
export interface ServerOfProcess extends Omit<ServerReport, 'durations' | 'tools' | 'name'>, Percentiles {
  readonly process: string;
  readonly role: ProcessReport['role'];
}

/** A tool of a server in the whole deployment. */
export interface MergedTool extends Omit<ToolReport, 'durations'>, Percentiles {
  readonly off?: Said;
}

/** A server in the whole deployment. */
export interface MergedServer extends Omit<ServerReport, 'durations' | 'tools' | 'isKept' | 'triedAgainAt'>, Percentiles {
  readonly off?: Said;
  readonly tools: readonly MergedTool[];
  readonly processes: readonly ServerOfProcess[];
}

interface Found {
  readonly process: string;
  readonly role: ProcessReport['role'];
  readonly server: ServerReport;
}

/** The worst first: a server counts as away as long as a process that needs it cannot reach it. */
const WORST_FIRST = ['away', 'connecting', 'connected', 'idle', 'closed', 'off'] as const;

/** By name. A server that no process reports is not in it, also if operators have turned it off. */
export function mergedServers(reports: readonly ProcessReport[], switches: readonly ServerSwitch[]): readonly MergedServer[] {
  const names = new Set(reports.flatMap(({ servers }) => servers.map(({ name }) => name)));
  const said = new Map(switches.map((each) => [each.server, each]));
  return [...names].toSorted().map((name) => merged(name, reports, said.get(name)));
}

function merged(name: string, reports: readonly ProcessReport[], said: ServerSwitch | undefined): MergedServer {
  const found = reports.flatMap(({ process, role, servers }) =>
    servers.filter((server) => server.name === name).map((server) => ({ process, role, server })),
  );
  const servers = found.map(({ server }) => server);
  // Those that keep it connected know best how it is.
  const kept = servers.filter(({ isKept }) => isKept);
  const [worst = servers[0]] = WORST_FIRST.flatMap((state) =>
    (kept.length > 0 ? kept : servers).filter((server) => server.state === state),
  );
  if (worst === undefined) throw new RangeError(`No process says anything of ${name}.`);
  const { transport, shown } = worst;
  const lastFailed = servers.toSorted((one, other) => (other.lastErrorAt ?? 0) - (one.lastErrorAt ?? 0))[0];
  const about = servers.find((server) => server.about !== undefined)?.about;
  const off = said?.off;
  return {
    name,
    transport,
    shown,
    state: off === undefined ? worst.state : 'off',
    since: off?.at ?? worst.since,
    restarts: sum(servers, 'restarts'),
    ...(lastFailed?.lastError !== undefined && { lastError: lastFailed.lastError, lastErrorAt: lastFailed.lastErrorAt }),
    ...(about !== undefined && { about }),
    ...(off !== undefined && { off }),
    connections: sum(servers, 'connections'),
    ...counted(servers),
    tools: mergedTools(servers, said),
    toolsLeftOut: Math.max(...servers.map(({ toolsLeftOut }) => toolsLeftOut)),
    processes: found.map(ofProcess),
  };
}

function mergedTools(servers: readonly ServerReport[], said: ServerSwitch | undefined): readonly MergedTool[] {
  const byName = Map.groupBy(
    servers.flatMap(({ tools }) => tools),
    ({ name }) => name,
  );
  const off = said?.toolsOff ?? {};
  // One that is off stays in sight, so that it can be turned on again.
  for (const name of Object.keys(off)) if (!byName.has(name)) byName.set(name, []);
  return [...byName].map(([name, tools]) => mergedTool(name, tools, off));
}

function mergedTool(name: string, tools: readonly ToolReport[], off: ServerSwitch['toolsOff']): MergedTool {
  const { as, task } = tools.find((tool) => tool.as !== undefined) ?? {};
  return {
    name,
    ...(as !== undefined && { as }),
    ...(task !== undefined && { task }),
    ...counted(tools),
    ...(Object.hasOwn(off, name) && { off: off[name] }),
  };
}

function ofProcess({ process, role, server }: Found): ServerOfProcess {
  const { durations, tools: _tools, name: _name, ...rest } = server;
  return { process, role, ...rest, ...percentiles([durations]) };
}

function counted(parts: readonly Pick<ToolReport, 'calls' | 'errors' | 'running' | 'durations'>[]) {
  return {
    calls: sum(parts, 'calls'),
    errors: sum(parts, 'errors'),
    running: sum(parts, 'running'),
    ...percentiles(parts.map(({ durations }) => durations)),
  };
}

function percentiles(kept: readonly KeptDurations[]): Percentiles {
  const all = new DurationHistogram();
  for (const each of kept) all.add(DurationHistogram.from(each));
  const [p50Ms, p99Ms] = [all.quantile(0.5), all.quantile(0.99)];
  return p50Ms === undefined || p99Ms === undefined ? {} : { p50Ms, p99Ms };
}

function sum<Name extends string>(parts: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return parts.reduce((total, part) => total + part[name], 0);
}
