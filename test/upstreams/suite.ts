/** Puts servers that other people wrote behind a proxy, and compares what a client gets with what it gets from the server itself. */
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { connect, type TaskClient } from '@longhaul/client';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Places, SampleCall, Upstream } from './catalogue.ts';

/** What one check has found. */
export interface Finding {
  readonly title: string;
  /** Absent if it is as it should be. */
  readonly problem?: string;
}

export const GENERATIONS = ['2025-11-25', '2026-07-28'] as const;
const MAX_SHOWN = 600;
const START_MS = 120_000;
const LOOK_MS = 250;
/** Requests go to the gateways in turn. */
const LISTS_IN_A_ROW = 4;

/** One server, and both ways to it. */
export interface Ways {
  readonly upstream: Upstream;
  /** Before its names at the proxy. */
  readonly prefix: string;
  readonly places: Places;
  readonly direct: TaskClient;
  readonly proxied: TaskClient;
}

async function check(title: string, run: () => Promise<string | undefined>): Promise<Finding> {
  try {
    const problem = await run();
    return problem === undefined ? { title } : { title, problem };
  } catch (error) {
    return { title, problem: String(error) };
  }
}

function difference(direct: unknown, proxied: unknown): string | undefined {
  if (isDeepStrictEqual(direct, proxied)) return undefined;
  return `directly ${JSON.stringify(direct).slice(0, MAX_SHOWN)}\n    proxied  ${JSON.stringify(proxied).slice(0, MAX_SHOWN)}`;
}

/** Waits until the proxy lists what the server lists, at each of its gateways: a server may take long to start on a busy machine. */
export async function untilListed({ prefix, direct, proxied }: Pick<Ways, 'prefix' | 'direct' | 'proxied'>): Promise<void> {
  const { tools } = await direct.client.listTools();
  const until = Date.now() + START_MS;
  for (let seen = 0; seen < LISTS_IN_A_ROW && Date.now() < until;) {
    const names = new Set((await proxied.client.listTools()).tools.map(({ name }) => name));
    seen = tools.every(({ name }) => names.has(`${prefix}${name}`)) ? seen + 1 : 0;
    if (seen < LISTS_IN_A_ROW) await wait(LOOK_MS);
  }
}

/** Everything that a client can do with the server, once. */
export async function compare({ upstream, prefix, places, direct, proxied }: Ways): Promise<Finding[]> {
  const { calls, prompts = [], resources = [] } = upstream;
  const findings = [await check('lists', () => differenceOfLists(direct, proxied, prefix))];
  for (const call of calls(places)) {
    const title = `calls ${call.tool} ${JSON.stringify(call.arguments ?? {}).slice(0, 60)}`;
    findings.push(
      await check(title, async () =>
        difference(await callOf(direct, call.tool, call), await callOf(proxied, `${prefix}${call.tool}`, call)),
      ),
    );
  }
  for (const { name: prompt, ...more } of prompts)
    findings.push(
      await check(`gets prompt ${prompt}`, async () =>
        difference(
          withoutMeta(await direct.client.getPrompt({ name: prompt, ...more })),
          withoutMeta(await proxied.client.getPrompt({ name: `${prefix}${prompt}`, ...more })),
        ),
      ),
    );
  for (const uri of resources)
    findings.push(
      await check(`reads ${uri}`, async () =>
        difference((await direct.client.readResource({ uri })).contents, (await proxied.client.readResource({ uri })).contents),
      ),
    );
  return findings;
}

/**
 * Calls the slow tool as a task, and kills in the middle. The call has to end with its text.
 *
 * @param kill what is killed when the task works
 */
export async function survive({ upstream, prefix, proxied }: Omit<Ways, 'direct'>, kill: () => Promise<void>): Promise<Finding> {
  const { slow, name } = upstream;
  if (slow === undefined) throw new Error(`${name} has no slow tool.`);
  return check(`calls ${slow.tool} through kills`, async () => {
    let killed: Promise<void> | undefined;
    const killOnce = (): void => void (killed ??= kill());
    const result = await proxied.callTool(`${prefix}${slow.tool}`, slow.arguments, {
      onTask: () => {
        if (slow.isTask !== true) killOnce();
      },
      onStatus: ({ statusMessage }) => {
        if (statusMessage?.startsWith('Waiting for ') === true) killOnce();
      },
    });
    if (killed === undefined) return 'it has not become a task';
    await killed;
    return difference(slow.text, textOf(result));
  });
}

type Entry = Readonly<Record<string, unknown>>;

/** Each entry of the server's own lists has to be in those of the proxy, as it is. A proxy may list more: it can be asked anything. */
async function differenceOfLists(direct: TaskClient, proxied: TaskClient, prefix: string): Promise<string | undefined> {
  const [own, theirs] = [await listsOf(direct, ''), await listsOf(proxied, prefix)];
  for (const [key, entry] of own) {
    const proxiedEntry = theirs.get(key);
    if (proxiedEntry === undefined) return `${key} is not listed`;
    const problem = difference(entry, { ...proxiedEntry, ...(!('outputSchema' in proxiedEntry) && outputSchemaOf(entry)) });
    if (problem !== undefined) return `${key}: ${problem}`;
  }
  return undefined;
}

/** A tool that may be a task has none for clients that have not called a task. */
function outputSchemaOf({ outputSchema }: Entry): object {
  return outputSchema === undefined ? {} : { outputSchema };
}

async function listsOf({ client }: TaskClient, prefix: string): Promise<ReadonlyMap<string, Entry>> {
  const { prompts, resources } = client.getServerCapabilities() ?? {};
  const named = (kind: string, entries: readonly object[]): [string, Entry][] =>
    entries.map((entry) => {
      // Whether a tool may be a task is what a proxy changes.
      const { name, execution: _, ...rest } = entry as Entry;
      const own = String(name).startsWith(prefix) ? String(name).slice(prefix.length) : '';
      return [`${kind} ${own}`, { ...rest, name: own }];
    });
  const at = (kind: string, member: string, entries: readonly object[]): [string, Entry][] =>
    entries.map((entry) => [`${kind} ${String((entry as Entry)[member])}`, entry as Entry]);
  return new Map([
    ...named('tool', (await client.listTools()).tools),
    ...named('prompt', prompts === undefined ? [] : (await client.listPrompts()).prompts),
    ...at('resource', 'uri', resources === undefined ? [] : (await client.listResources()).resources),
    ...at('template', 'uriTemplate', resources === undefined ? [] : (await client.listResourceTemplates()).resourceTemplates),
  ]);
}

async function callOf(client: TaskClient, tool: string, call: SampleCall): Promise<unknown> {
  return comparable(await client.callTool(tool, call.arguments ?? {}), call);
}

function comparable(result: CallToolResult, { varies }: SampleCall): unknown {
  const rest = withoutMeta(result);
  return varies === undefined ? rest : (JSON.parse(JSON.stringify(rest).replace(varies, '')) as unknown);
}

function withoutMeta(result: object): object {
  const { _meta: _, resultType: __, ...rest } = result as Readonly<Record<string, unknown>>;
  return rest;
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('');
}

/** @returns a client that answers nothing, as a plain one */
export function connected(target: Parameters<typeof connect>[0], generation?: (typeof GENERATIONS)[number]): Promise<TaskClient> {
  return connect(target, { ...(generation !== undefined && { generation }), clientInfo: { name: 'upstreams', version: '1' } });
}
