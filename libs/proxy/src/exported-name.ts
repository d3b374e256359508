/**
 * Names the tools and prompts of servers for clients. The name follows from the server's and the tool's alone, so that a worker that knows no
 * catalogue finds the tool of a task.
 */
import { createHash } from 'node:crypto';
import { type ServerConfig, settingsOfTool, type ToolSettings } from '@longhaul/servers';

/** The convention of proxies: no client refuses it. */
const SEPARATOR = '__';
const MAX_LENGTH = 128;
/** As the specification has it. */
const FIT = /^[A-Za-z0-9_.-]{1,128}$/;
const HASH_LENGTH = 8;

/** @param isAlone whether it is the only server, which keeps its names */
export function exportedName(server: string, name: string, isAlone: boolean): string {
  const whole = isAlone ? name : `${server}${SEPARATOR}${name}`;
  if (FIT.test(whole)) return whole;
  const hash = createHash('sha256')
    .update(JSON.stringify([server, name]))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  return `${whole.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

/** How the names of a server's tools and prompts begin. */
export function prefixOf(server: string): string {
  return exportedName(server, '', false).replace(/_[0-9a-f]{8}$/, '');
}

/** The name of a tool for clients: the name in the file, if there is one. */
export function exportedTool(config: ServerConfig, tool: string, isAlone: boolean): string {
  return settingsOfTool(tool, config).name ?? exportedName(config.name, tool, isAlone);
}

/** The servers that may have the tool of this name, the likeliest first. */
export function serversOfTool(name: string, configs: readonly ServerConfig[], isAlone: boolean): readonly ServerConfig[] {
  if (isAlone) return configs;
  const renaming = configs.filter(({ toolSettings = {} }) => Object.values(toolSettings).some((settings) => settings.name === name));
  const prefixed = configs
    .filter((config) => !renaming.includes(config) && name.startsWith(prefixOf(config.name)))
    .toSorted((a, b) => b.name.length - a.name.length);
  return [...renaming, ...prefixed];
}

/** The settings of a tool in the file, found by its name for clients: a worker knows no other. */
export function settingsOfExported(name: string, config: ServerConfig, isAlone: boolean): ToolSettings {
  const named = Object.keys(config.toolSettings ?? {}).find((tool) => exportedTool(config, tool, isAlone) === name);
  const prefix = isAlone ? '' : exportedName(config.name, '', false).replace(/_[0-9a-f]{8}$/, '');
  return settingsOfTool(named ?? name.slice(prefix.length), config);
}
