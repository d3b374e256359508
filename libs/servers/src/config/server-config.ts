import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { LoginSettings, ServerAuth } from './auth-settings.js';
import type { SecretText } from './secret-text.js';
import type { ToolPins } from './tool-pins.js';
import { wildcardPattern } from '@longhaul/runtime/linear-pattern';
import type { DefaultArgument } from './default-arguments.js';

/** When a person is asked for a tool: at each call, unless it says of itself that it only reads, or never. */
export type ApprovalPolicy = 'always' | 'writes' | 'never';

/** A call waits until another one has ended, or is refused at once. */
export type WhenBusy = 'wait' | 'refuse';

/** How a proxy serves a tool. */
export interface ToolSettings {
  /** Whether its calls run as tasks; `forbidden`: within the request. Absent: as the tool says of itself. */
  readonly task?: 'forbidden' | 'optional' | 'required' | undefined;
  /** After which a call is cancelled. */
  readonly timeoutMs?: number | undefined;
  /** How long a call of a tool that only reads is waited for within the request, before it becomes a task. 0: not at all. */
  readonly quickMs?: number | undefined;
  /** How often a call that may be repeated is made again when its connection was lost. */
  readonly retries?: number | undefined;
  /** How many of its calls run at once: tasks over all workers, calls within requests in each gateway. */
  readonly maxRunning?: number | undefined;
  /** Whether a call within a request waits, or is refused, while as many run. */
  readonly whenBusy?: WhenBusy | undefined;
  /** Arguments of calls that leave them out. */
  readonly defaults?: Readonly<Record<string, DefaultArgument>> | undefined;
  /** Scopes that the token of its caller must have, in addition to the server's. */
  readonly scopes?: readonly string[] | undefined;
  /** Another name, for one tool. */
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Added to its own, and stronger. */
  readonly annotations?: Readonly<Record<string, boolean | string>> | undefined;
}

/** The settings of each kind of server. */
export interface ServerOptions {
  readonly name: string;
  /** Its command or URL as it was written, for messages: without what variables stand for. */
  readonly shown: string;
  /** The tools that may be used, by name or with `*` for any text. Absent: all. */
  readonly tools?: readonly string[] | undefined;
  /** The tools that may not be used, by name or with `*`. */
  readonly deny?: readonly string[] | undefined;
  /** How a proxy serves single tools, by name or with `*`; a name counts more than a pattern. */
  readonly toolSettings?: Readonly<Record<string, ToolSettings>> | undefined;
  /** The tools that an operator has approved. Absent: they are used as they are. */
  readonly pins?: ToolPins | undefined;
  /** Scopes that the token of a caller must have for all that a proxy serves of it. */
  readonly scopes?: readonly string[] | undefined;
  /** For all of its tools that only read: how long a call is waited for within the request, before it becomes a task. @defaultValue 2 s */
  readonly quickMs?: number | undefined;
  /** How many calls of a proxy it has at once, of all of its tools: tasks over all workers, calls within requests in each gateway. */
  readonly maxRunning?: number | undefined;
  /** Whether a call within a request waits, or is refused, while it has as many. @defaultValue `wait` */
  readonly whenBusy?: WhenBusy | undefined;
  /** Which calls a proxy makes on one connection: all of a caller's session, all of all callers, or one. @defaultValue `perSession` */
  readonly sessions?: 'perSession' | 'shared' | 'perCall' | undefined;
  /** For all tools; or for single ones, by name or with `*`. */
  readonly ask: ApprovalPolicy | Readonly<Record<string, ApprovalPolicy>>;
  /** Whether nothing is lost when its process ends and another one is started. */
  readonly stateless: boolean;
  /**
   * The tools that run once for calls with the same `_meta["longhaul/idempotencyKey"]`, by name or with `*`. A durable run sends a key, and
   * repeats such a call after a crash. Absent: no tools.
   */
  readonly idempotencyKeys?: readonly string[] | undefined;
  /** After which a call is cancelled. Absent: never. */
  readonly timeoutMs?: number | undefined;
  /** The time limit of its connection. */
  readonly startTimeoutMs: number;
  /** The only protocol version that is spoken with it. Absent: the newer one if it knows that. */
  readonly protocolVersion?: '2026-07-28' | '2025-11-25' | undefined;
}

/** A server that is a process, which speaks on its standard input and output. */
export interface StdioServer extends ServerOptions {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few variables that each such process gets. */
  readonly env: Readonly<Record<string, SecretText>>;
  readonly cwd?: string | undefined;
}

/** A server that is reached by HTTP. */
export interface UrlServer extends ServerOptions {
  readonly kind: 'url';
  readonly url: string;
  readonly headers: Readonly<Record<string, SecretText>>;
  /** How tokens for it are gotten. Absent: there are none but in the headers. */
  readonly auth?: ServerAuth | undefined;
  /** How a person logs in to it. Absent: as the server says, if it wants a log-in. */
  readonly login?: LoginSettings | undefined;
  /** Absent: Streamable HTTP, or HTTP+SSE with a server that does not know that. */
  readonly transport?: 'http' | 'sse' | undefined;
}

/** A server that an agent may use. */
export type ServerConfig = StdioServer | UrlServer;

/** A server that needs the token of the caller. */
export type ExchangingServer = UrlServer & { readonly auth: ServerAuth };

export function exchangesTokens(config: ServerConfig): config is ExchangingServer {
  return config.kind === 'url' && config.auth?.grant === 'token-exchange';
}

/** When a person is asked before this tool is called: by its name, by the first pattern that it fits, or else `writes`. */
export function askBefore(tool: string, { ask }: Pick<ServerOptions, 'ask'>): ApprovalPolicy {
  if (typeof ask === 'string') return ask;
  const pattern = Object.keys(ask).find((each) => matches(tool, each));
  return (Object.hasOwn(ask, tool) ? ask[tool] : ask[pattern ?? '']) ?? 'writes';
}

/** Whether calls of the tool with the same idempotency key are one call. */
export function takesIdempotencyKey(tool: string, { idempotencyKeys }: Pick<ServerOptions, 'idempotencyKeys'>): boolean {
  return idempotencyKeys?.some((pattern) => matches(tool, pattern)) ?? false;
}

/** Whether a call of the tool may be made twice with the same arguments, as the tool says itself. */
export function isRepeatable({ annotations }: Pick<Tool, 'annotations'>): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
}

/** Whether the tool is one of those that may be used. */
export function isAllowed(tool: string, { tools, deny }: Pick<ServerOptions, 'tools' | 'deny'>): boolean {
  const isListed = tools?.some((pattern) => matches(tool, pattern)) ?? true;
  return isListed && deny?.some((pattern) => matches(tool, pattern)) !== true;
}

/** How a proxy serves the tool: the settings of all patterns that fit, and the settings of its name. Defaults of arguments are joined. */
export function settingsOfTool(tool: string, { toolSettings = {} }: Pick<ServerOptions, 'toolSettings'>): ToolSettings {
  const fitting = Object.entries(toolSettings).filter(([pattern]) => pattern !== tool && matches(tool, pattern));
  const own = Object.hasOwn(toolSettings, tool) ? toolSettings[tool] : {};
  const all = [...fitting.map(([, settings]) => settings), own ?? {}];
  const defaults = Object.assign({}, ...all.map((settings) => settings.defaults)) as ToolSettings['defaults'];
  return Object.assign({}, ...all, Object.keys(defaults ?? {}).length > 0 && { defaults }) as ToolSettings;
}

function matches(tool: string, pattern: string): boolean {
  return wildcardPattern(pattern).test(tool);
}
