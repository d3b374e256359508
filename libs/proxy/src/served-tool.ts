import { type ServerConfig, settingsOfTool, type ToolSettings } from '@longhaul/servers';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';

/** How long a call of a tool that only reads is waited for, unless the file says otherwise. */
const QUICK_MS = 2_000;

/** How a tool is served: within the request, or as a task. */
export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** A tool of a server, with what the operator's file says of it. */
export interface ServedTool {
  readonly config: ServerConfig;
  /** As the server lists it, with the file's title, description and annotations. */
  readonly listed: ListedTool;
  readonly settings: ToolSettings;
  readonly taskSupport: TaskSupport;
  /** How long a plain call is waited for within the request before it becomes a task, milliseconds; 0: it is one from the start. */
  readonly quickMs: number;
  /** Scopes that the token of a caller must have. */
  readonly scopes: readonly string[];
}

/** Adds what the file says. @param mayBeTask whether tools of the server can be called by tasks */
export function servedTool(config: ServerConfig, tool: ListedTool, mayBeTask = true): ServedTool {
  const settings = settingsOfTool(tool.name, config);
  const { title, description, annotations } = settings;
  const listed: ListedTool = {
    ...tool,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations !== undefined && { annotations: { ...tool.annotations, ...annotations } }),
  };
  const scopes = scopesOf(config, settings);
  const own = ownSupport(listed) ?? (mayBeTask ? undefined : 'forbidden');
  const isTried = settings.task === undefined && own === undefined;
  const quickMs = isTried ? (settings.quickMs ?? config.quickMs ?? QUICK_MS) : 0;
  return { config, listed, settings, scopes, taskSupport: settings.task ?? own ?? 'optional', quickMs };
}

/** The scopes that the file asks of callers of the tool. */
export function scopesOf(config: ServerConfig, settings: ToolSettings): readonly string[] {
  return [...new Set([...(config.scopes ?? []), ...(settings.scopes ?? [])])];
}

/**
 * A tool that supports tasks runs as one, and so does any tool that may change something: its call must not be lost, or made twice. That a
 * tool forbids tasks is what SDKs write by default, and says nothing.
 *
 * @returns nothing for a tool that only reads: how long it takes decides
 */
function ownSupport({ execution, annotations }: ListedTool): TaskSupport | undefined {
  const { taskSupport } = execution ?? {};
  if (taskSupport === 'optional' || taskSupport === 'required') return taskSupport;
  return annotations?.readOnlyHint === true ? undefined : 'optional';
}
