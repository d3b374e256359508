import { ConfigError } from '@longhaul/runtime/environment';
import { resolve } from 'node:path';
import { exportedTool, servedTool, usedDefaults } from '@longhaul/proxy';
import { pinLines } from './pinned-tools.js';
import { PROXY } from './proxy.js';
import { type ConnectedServer, connectServer, isAllowed, listingLink, readServers, type ServerConfig } from '@longhaul/servers';
import type { Given } from '../command-line/command.js';
import { printable } from '@longhaul/runtime/printable';
import { outputOf, runVerb } from '../operators/run-verb.js';
import { withServed } from '../served.js';
import type { Terminal } from '../terminal.js';
import { UserError } from '../user-error.js';

/** What is wrong with a server that is checked. */
interface Check {
  readonly lines: readonly string[];
  readonly isGood: boolean;
  /** The same for programs. */
  readonly found: Found;
}

/** What `--json` prints of a server that is checked. */
interface Found {
  readonly protocolVersion?: string;
  readonly tools?: readonly { readonly name: string; readonly as?: string; readonly task?: string }[];
  readonly warnings?: readonly string[];
  /** What is wrong; empty for a server that can be used as the file says. */
  readonly problems: readonly string[];
}

/**
 * `longhaul servers [FILE] [--check] [--pin]`: lists the servers of the deployment, or of a file; with `--check` connects those of the file,
 * and compares what they offer with what the file says of it; with `--pin` approves their tools as they are now, where the file says `pin`.
 *
 * @returns 1 if a server cannot be used
 * @throws UserError for a file that cannot be read
 */
export async function servers(given: Given, terminal: Terminal): Promise<number> {
  if (given.words.length === 0 && !given.has('check') && !given.has('pin')) return ofDeployment(given, terminal);
  const output = outputOf(given, terminal);
  const { env: served } = await withServed(terminal);
  const file = given.words[0] ?? served['LONGHAUL_SERVERS'] ?? '';
  if (file === '') throw new UserError('name a file of servers, or set LONGHAUL_SERVERS', 2);
  const source = file.trimStart().startsWith('{') ? file : resolve(terminal.cwd, file);
  const read = await readServers(source, terminal.env, 'LONGHAUL_SERVERS').catch((error: unknown) => {
    throw error instanceof ConfigError ? new UserError(error.message) : error;
  });
  for (const line of read.warnings) terminal.err(`longhaul: ${printable(line)}`);
  if (given.has('pin') && !read.servers.some(({ pins }) => pins?.file !== undefined))
    throw new UserError('no server of the file has "pin": true');
  // Names are those of the deployment, and without one those of `longhaul proxy`.
  const isOfProxy = (served['LONGHAUL_SERVERS'] ?? '') === '' || served['LONGHAUL_FEATURES'] === PROXY;
  const isAlone = read.servers.length === 1 && isOfProxy;
  const answers: object[] = [];
  let isGood = read.refused.size === 0;
  for (const config of read.servers) {
    const { name, shown } = config;
    const isToCheck = given.has('check') || given.has('pin');
    if (output.form === 'text') output.say(`${name}  ${shown}`);
    const checked = isToCheck ? await check(config, { isAlone, isToPin: given.has('pin') }) : undefined;
    for (const line of checked?.lines ?? []) output.say(`  ${line}`);
    isGood &&= checked?.isGood ?? true;
    answers.push({ name, shown, ...(checked !== undefined && { isGood: checked.isGood, ...checked.found }) });
  }
  if (output.form !== 'text') output.list(answers, [], { servers: answers, refused: Object.fromEntries(read.refused) });
  return isGood ? 0 : 1;
}

async function ofDeployment(given: Given, terminal: Terminal): Promise<number> {
  const { listServers } = await import('../operators/verbs/proxied-servers.js');
  return runVerb({ usage: 'servers', summary: '', run: listServers }, given, terminal);
}

/** How a server is checked. */
interface CheckOptions {
  readonly isAlone: boolean;
  /** Whether its tools are approved. */
  readonly isToPin: boolean;
}

async function check(config: ServerConfig, { isAlone, isToPin }: CheckOptions): Promise<Check> {
  try {
    const warnings: string[] = [];
    const report = (event: { readonly type: string; readonly message?: string }): void => {
      if (event.type === 'warning' && event.message !== undefined) warnings.push(event.message);
    };
    const server = await connectServer(config, { lists: 'all', report }, { link: listingLink(config) });
    try {
      const { tools, client, lists } = server;
      const version = client.client.getNegotiatedProtocolVersion() ?? client.generation;
      const unused = unusedPatterns(
        config,
        tools.map(({ name }) => name),
      );
      const pinned = await pinLines(config, tools, isToPin);
      const misfits = tools.flatMap((tool) => misfitOf(config, tool));
      const isServed = (name: string): boolean => isAllowed(name, config);
      return {
        found: {
          protocolVersion: version,
          tools: tools.map((tool) => ({
            name: tool.name,
            ...(isServed(tool.name) && { as: exportedTool(config, tool.name, isAlone), task: servedTool(config, tool).taskSupport }),
          })),
          warnings,
          problems: [...(pinned.isGood ? [] : pinned.lines), ...misfits, ...unused.map(unusedText)],
        },
        isGood: unused.length === 0 && misfits.length === 0 && pinned.isGood,
        lines: [
          `connected, protocol version ${version}`,
          ...tools.map((tool) => describe(config, servedTool(config, tool), exportedTool(config, tool.name, isAlone))),
          `${lists.get('prompts').length} prompts, ${lists.get('resources').length} resources, ${lists.get('resourceTemplates').length} resource templates`,
          ...warnings.map((line) => `warning: ${line}`),
          ...pinned.lines,
          ...misfits.map((line) => `wrong: ${line}`),
          ...unused.map((pattern) => `wrong: ${unusedText(pattern)}`),
        ],
      };
    } finally {
      await server.close();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { isGood: false, lines: message.split('\n'), found: { problems: [message] } };
  }
}

function describe(config: ServerConfig, { listed, taskSupport, quickMs, scopes }: ReturnType<typeof servedTool>, name: string): string {
  if (!isAllowed(listed.name, config)) return `not served: ${listed.name}`;
  const asTask = quickMs === 0 ? 'as a task' : `within the request, as a task after ${quickMs} ms`;
  const way = taskSupport === 'forbidden' ? 'within the request' : asTask;
  const how = scopes.length === 0 ? way : `${way}, for tokens with ${scopes.join(' ')}`;
  return name === listed.name ? `${name}: ${how}` : `${name} (${listed.name}): ${how}`;
}

/** What a tool cannot have of the file's defaults of arguments. */
function misfitOf(config: ServerConfig, tool: ConnectedServer['tools'][number]): readonly string[] {
  try {
    usedDefaults(tool, servedTool(config, tool).settings, config);
    return [];
  } catch (error) {
    return [`${tool.name} is not served: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function unusedText(pattern: string): string {
  return `the file says something of ${JSON.stringify(pattern)}, and it has no such tool`;
}

/** What the file says of tools that there are none of. */
function unusedPatterns({ tools = [], deny = [], toolSettings = {} }: ServerConfig, names: readonly string[]): readonly string[] {
  return [...new Set([...tools, ...deny, ...Object.keys(toolSettings)])].filter(
    (pattern) => !names.some((name) => isAllowed(name, { tools: [pattern] })),
  );
}
