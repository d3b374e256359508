import { DurationHistogram, type KeptDurations } from '@longhaul/runtime/duration-histogram';
import { isAllowed, type ServerConfig } from '@longhaul/servers';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { exportedTool } from '../exported-name.js';
import { servedTool } from '../served-tool.js';
import type { ToolCounts } from './call-counts.js';
import type { ServerReport, ToolReport } from './server-report.js';

const NONE = { calls: 0, errors: 0, running: 0 };

/** The tools that a server lists and those that were called. */
export function toolReports(
  config: ServerConfig,
  listed: readonly ListedTool[],
  counts: ReadonlyMap<string, ToolCounts>,
  isAlone: boolean,
): ToolReport[] {
  const names = new Set(listed.map(({ name }) => name));
  const ofListed = listed.map((tool) => ({
    name: tool.name,
    ...(isAllowed(tool.name, config) && {
      as: exportedTool(config, tool.name, isAlone),
      task: servedTool(config, tool).taskSupport,
    }),
    ...countsIn(counts.get(tool.name)),
  }));
  const others = [...counts].filter(([name]) => !names.has(name)).map(([name, of]) => Object.assign({ name }, countsIn(of)));
  return [...ofListed, ...others];
}

/** The calls of all tools of a server. */
export function totalOf(counts: ReadonlyMap<string, ToolCounts>): Pick<ServerReport, 'calls' | 'errors' | 'running' | 'durations'> {
  const durations = new DurationHistogram();
  const total = { ...NONE };
  for (const each of counts.values()) {
    total.calls += each.calls;
    total.errors += each.errors;
    total.running += each.running;
    durations.add(each.durations);
  }
  return { ...total, durations: mutable(durations.toJSON()) };
}

function countsIn(counts: ToolCounts | undefined): Pick<ToolReport, 'calls' | 'errors' | 'running' | 'durations'> {
  const { calls, errors, running } = counts ?? NONE;
  return { calls, errors, running, durations: mutable(counts?.durations.toJSON() ?? []) };
}

function mutable(kept: KeptDurations): [number, number][] {
  return kept.map(([bucket, count]) => [bucket, count]);
}
