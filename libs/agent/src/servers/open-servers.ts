import {
  type ApprovalPolicy,
  askBefore,
  type ConnectedServer,
  type ConnectedServers,
  connectServers,
  type ServerConfig,
  type ServerHandlers,
} from '@longhaul/servers';
import { mergedToolbox } from '../tools/merged-toolbox.js';
import type { AgentTool, Toolbox } from '../tools/toolbox.js';
import { callResourceTool, mayRead, ownServerName, type ResourceReader, resourceTools } from './resource-tools.js';
import { promptText } from './prompt-text.js';
import { failureOf, serverToolbox } from './server-toolbox.js';

/** Servers that are connected, as an agent uses them. */
export interface OpenServers extends ConnectedServers {
  /** Their tools, under names that are unique and fit for a model; to be wrapped by `withApproval`. */
  readonly toolbox: Toolbox;
  /** The servers whose resources may be read. */
  readonly withResources: readonly string[];
  /** The prompts that there are. A server that cannot be asked has none. */
  prompts(signal: AbortSignal): Promise<readonly ServerPrompt[]>;
  /** The text of a prompt, filled in. @throws Error with what the server says */
  promptText(prompt: ServerPrompt, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>;
  /** When a person must approve a call of this tool. */
  policyOf(tool: AgentTool): ApprovalPolicy;
}

/** A prompt that a server offers to its user. */
export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly arguments: readonly { readonly name: string; readonly required?: boolean | undefined }[];
}

/** Connects servers and merges their tools. @throws as `connectServers` */
export async function openServers(configs: readonly ServerConfig[], handlers: ServerHandlers = {}): Promise<OpenServers> {
  const connected = await connectServers(configs, handlers);
  return {
    ...connected,
    toolbox: mergedToolbox([...connected.servers.map((server) => serverToolbox(server)), resourceToolbox(connected.servers)]),
    withResources: readableOf(connected.servers).map(({ name }) => name),
    prompts: async (signal) => (await Promise.all(connected.servers.map((server) => promptsOf(server, signal)))).flat(),
    promptText: async ({ server: name, name: prompt }, args, signal) => {
      const server = connected.servers.find((each) => each.name === name);
      if (server === undefined) throw new Error(`There is no server "${name}".`);
      const filled = await server.getPrompt(prompt, args, signal).catch((error: unknown) => {
        throw failureOf(error, server, signal);
      });
      return promptText(filled);
    },
    policyOf: ({ server, listed }) => askBefore(listed.name, configs.find(({ name }) => name === server) ?? { ask: 'always' }),
  };
}

async function promptsOf(server: ConnectedServer, signal: AbortSignal): Promise<readonly ServerPrompt[]> {
  if (!server.has('prompts')) return [];
  const listed = await server.list('prompts', signal).catch((error: unknown) => {
    signal.throwIfAborted();
    server.warn(`its prompts cannot be listed: ${String(error)}`);
    return [];
  });
  return listed.map(({ name, description, arguments: args = [] }) => ({ server: server.name, name, description, arguments: args }));
}

function readableOf(servers: readonly ConnectedServer[]): readonly ConnectedServer[] {
  return servers.filter((server) => server.has('resources') && mayRead(server.config));
}

function resourceToolbox(servers: readonly ConnectedServer[]): Toolbox {
  const readable = readableOf(servers);
  const named = (name: string): ConnectedServer => {
    const server = readable.find((each) => each.name === name);
    if (server === undefined) throw new Error(`The server "${name}" has no resources that may be read.`);
    return server;
  };
  const during = async <T>(name: string, signal: AbortSignal, run: (server: ConnectedServer) => Promise<T>): Promise<T> => {
    const server = named(name);
    return run(server).catch((error: unknown) => {
      throw failureOf(error, server, signal);
    });
  };
  const reader: ResourceReader = {
    servers: readable.map(({ name }) => name),
    list: (name, { signal }) =>
      during(name, signal, async (server) => ({
        resources: await server.list('resources', signal),
        resourceTemplates: await server.list('resourceTemplates', signal),
      })),
    read: ({ server: name, uri }, { signal }) => during(name, signal, (server) => server.readResource(uri, signal)),
  };
  const own = ownServerName(servers.map(({ name }) => name));
  const tools = resourceTools(reader.servers).map((listed) => ({ name: listed.name, server: own, listed }));
  return { tools, call: (request, options) => callResourceTool(reader, request, options) };
}
