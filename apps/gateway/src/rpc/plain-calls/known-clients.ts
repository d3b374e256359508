/**
 * Knows how clients wait for a plain call: after which time they give up, and whether progress extends that. Clients are known by the name
 * and version in their `clientInfo`. The table has what was read in the source of a client, or reported of one; a deployment adds to it or
 * corrects it with `LONGHAUL_KNOWN_CLIENTS`. From it follows how long a call waits before it is handed over, and what its end by the client
 * means.
 */
import { jsonSetting } from '@longhaul/runtime/json-setting';
import { z } from 'zod';

/** What is known of a client. */
export interface KnownClient {
  /** The name in `clientInfo`, in any letter case. With `*` as its last character: the beginning of the name. */
  readonly name: string;
  /** The versions that the entry is about: from this one on, and before that one. @defaultValue all */
  readonly from?: string;
  readonly before?: string;
  /** The time after which it gives a call up by itself, milliseconds; `null` if it never does. Absent if that is not known. */
  readonly limitMs?: number | null;
  /** Whether this time begins again with each report of progress, if the call asks for progress. */
  readonly progressExtends?: boolean;
  /** The time after which it gives up even then, milliseconds. */
  readonly longestMs?: number;
  /** Parts of the reasons with which it cancels a call when its time is up. */
  readonly timedOut?: readonly string[];
  /** Parts of the reasons with which it cancels a call when a person stops it. */
  readonly stopped?: readonly string[];
  /** Where this is known from. */
  readonly source?: string;
}

const MINUTE_MS = 60_000;

/** All of them; the first entry that fits counts. */
export const KNOWN_CLIENTS: readonly KnownClient[] = [
  {
    name: 'claude-ai',
    limitMs: MINUTE_MS,
    timedOut: ['Request timed out'],
    source: 'seen: 240 s over stdio, 60 s in some of its panes; anthropics/claude-code#65643, #63379, #73955',
  },
  { name: 'Anthropic/ClaudeAI', limitMs: MINUTE_MS, source: 'seen; anthropics/claude-ai-mcp#115' },
  {
    name: 'claude-code',
    limitMs: 5 * MINUTE_MS,
    progressExtends: true,
    longestMs: 352_000,
    source: 'seen: 300 s without progress, and a cut at 352 s; anthropics/claude-code#70441, vfarcic/dot-ai#708',
  },
  { name: 'openai-mcp*', limitMs: MINUTE_MS, source: 'reported in community.openai.com, "Handling Long-Running Tasks in ChatGPT Apps"' },
  { name: 'codex-mcp-client', limitMs: MINUTE_MS, source: '60, 120 or 300 s, by version; openai/codex#28234' },
  { name: 'cursor-vscode', limitMs: 5 * MINUTE_MS, source: 'seen; cursor/cursor#3510' },
  { name: 'Visual Studio Code*', limitMs: null, source: 'microsoft/vscode, mcpServer.ts' },
  { name: 'Zed', limitMs: MINUTE_MS, source: 'zed-industries/zed#45378' },
  { name: 'Cline', limitMs: MINUTE_MS, timedOut: ['Request timed out'], source: 'cline/cline, McpHub.ts' },
  { name: 'Roo-Code', limitMs: MINUTE_MS, timedOut: ['Request timed out'], source: 'RooCodeInc/Roo-Code, McpHub.ts' },
  { name: 'gemini-cli-mcp-client*', limitMs: 10 * MINUTE_MS, source: 'google-gemini/gemini-cli, mcp-tool.ts' },
  {
    name: 'goose',
    limitMs: 5 * MINUTE_MS,
    timedOut: ['timed out'],
    stopped: ['operation cancelled'],
    source: 'aaif-goose/goose, mcp_client.rs',
  },
  { name: '@n8n/n8n-nodes-langchain.mcpClientTool*', limitMs: MINUTE_MS, timedOut: ['Request timed out'], source: 'n8n-io/n8n#15886' },
  { name: 'ai-sdk-mcp-client', limitMs: null, source: 'vercel/ai, mcp-client.ts' },
  {
    name: 'mcp-inspector',
    from: '2',
    limitMs: MINUTE_MS,
    progressExtends: true,
    source: 'modelcontextprotocol/inspector, inspectorClient.ts',
  },
  { name: 'Java SDK MCP Client', limitMs: 20_000, source: 'modelcontextprotocol/java-sdk, McpClient.java' },
  { name: 'spring-ai-mcp-client*', limitMs: 20_000, source: 'spring-projects/spring-ai, McpClientCommonProperties.java' },
];

const Duration = z
  .int()
  .min(1)
  .max(7 * 24 * 60 * MINUTE_MS);
const Reasons = z.array(z.string().min(1).max(256)).max(16);

/** At most so many entries: they are looked through for every plain call that waits. */
const MAX_ENTRIES = 100;

const Entry = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(256)
      .regex(/^[^*]*\*?$/, 'may have * only as its last character'),
    from: z
      .string()
      .regex(/^\d+(\.\d+)*$/, 'must be a version such as 1.2.3')
      .optional(),
    before: z
      .string()
      .regex(/^\d+(\.\d+)*$/, 'must be a version such as 1.2.3')
      .optional(),
    limitMs: Duration.nullable().optional(),
    progressExtends: z.boolean().optional(),
    longestMs: Duration.optional(),
    timedOut: Reasons.optional(),
    stopped: Reasons.optional(),
    source: z.string().max(1_024).optional(),
  })
  .transform((entry): KnownClient => entry as KnownClient);

/** The setting: entries that come before those of the table, as JSON or the path of a file with it. */
export const knownClientsSetting = jsonSetting(z.array(Entry).max(MAX_ENTRIES));

/** A client as it calls itself. */
export interface ClientName {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
}

/** A proxy that passes on what its client waits for appends this to its client's name. */
const PROXY = ' (via mcp-remote ';

/** Finds what is known of a client. */
export function findClient(table: readonly KnownClient[], { name, version }: ClientName): KnownClient | undefined {
  if (name === undefined) return undefined;
  const proxied = name.endsWith(')') ? name.lastIndexOf(PROXY) : -1;
  const own = (proxied < 0 ? name : name.slice(0, proxied)).toLowerCase();
  return table.find((entry) => fits(entry.name.toLowerCase(), own) && isWithin(entry, version));
}

function fits(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** A client that does not say its version is in no range. */
function isWithin({ from, before }: KnownClient, version: string | undefined): boolean {
  if (from === undefined && before === undefined) return true;
  const numbers = /^v?(\d{1,9}(?:\.\d{1,9}){0,7})/.exec(version ?? '')?.[1];
  if (numbers === undefined) return false;
  return (from === undefined || compare(numbers, from) >= 0) && (before === undefined || compare(numbers, before) < 0);
}

function compare(left: string, right: string): number {
  const [a, b] = [left.split('.').map(Number), right.split('.').map(Number)];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
