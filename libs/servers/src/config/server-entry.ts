/** Reads one server of a file of servers, in the formats of Claude Desktop, Cursor, VS Code, Windsurf and Gemini CLI. */
import { scopeProblem } from '@longhaul/runtime/scopes';
import { basename } from 'node:path';
import { z } from 'zod';
import { authEntry, authWarning, serverAuthOf } from './auth-settings.js';
import { defaultArguments, readDefaults } from './default-arguments.js';
import { expandVariables, MissingVariables } from './expand-variables.js';
import { type PinFile, toolHashes } from './pin-file.js';
import { namesFile, secretText, type SecretText, SecretUnreadable } from './secret-text.js';
import type { ServerConfig, ToolSettings, UrlServer } from './server-config.js';
import { ToolPins } from './tool-pins.js';

const DAY_MS = 86_400_000;
const DEFAULT_START_TIMEOUT_MS = 60_000;
/** Programs that may have to download the server first. Ended before that, they begin again the next time. */
const INSTALLERS: ReadonlySet<string> = new Set([
  'npx',
  'pnpx',
  'pnpm',
  'yarn',
  'bunx',
  'bun',
  'uvx',
  'uv',
  'pipx',
  'docker',
  'podman',
  'deno',
]);
const INSTALLER_START_TIMEOUT_MS = 300_000;
const MAX_NAME_LENGTH = 64;
const MAX_RETRIES = 10;
const MAX_QUICK_MS = 60_000;
const MAX_RUNNING = 100_000;

const ask = z.enum(['always', 'writes', 'never']);
const ASK_ISSUE = 'must be "always", "writes" or "never", or an object with one of them for each tool';
const TYPE_ISSUE = 'must be "http", "streamable-http" or "sse" for a URL';
/** The format of clients: numbers and truth values stand for their texts, and null stands for an absent value. */
const text = z.union([z.string(), z.number(), z.boolean()], 'must be a text, a number or a truth value').transform(String);
const texts = z
  .record(z.string(), text.nullable())
  .transform((given) => Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null)))
  .default({});
/** The name of a transport without its case and its dashes. */
const type = z.string().transform((given) => given.toLowerCase().replaceAll(/[^a-z]/g, ''));
const scopes = z
  .array(
    z.string().superRefine((scope, check) => {
      const problem = scopeProblem(scope);
      if (problem !== undefined) check.addIssue(problem);
    }),
  )
  .readonly()
  .optional();
const maxRunning = z.int().min(1).max(MAX_RUNNING).optional();
const quickMs = z.int().min(0).max(MAX_QUICK_MS).optional();
const whenBusy = z.enum(['wait', 'refuse']).optional();
const toolSettings = z.strictObject({
  task: z.enum(['forbidden', 'optional', 'required']).optional(),
  timeoutMs: z.int().min(1).max(DAY_MS).optional(),
  retries: z.int().min(0).max(MAX_RETRIES).optional(),
  quickMs,
  maxRunning,
  whenBusy,
  defaults: defaultArguments.optional(),
  scopes,
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,128}$/, 'must be 1 to 128 of A-Z, a-z, 0-9, "_", "-" and "."')
    .optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  annotations: z.record(z.string(), z.union([z.boolean(), z.string()])).optional(),
});
const options = {
  /** The only tools that may be used; or how single ones are served, which leaves the others as they are. */
  tools: z.union([z.array(z.string().min(1)), z.record(z.string(), z.union([toolSettings, z.boolean()]))]).optional(),
  deny: z.array(z.string().min(1)).optional(),
  quickMs,
  maxRunning,
  whenBusy,
  sessions: z.enum(['perSession', 'shared', 'perCall']).optional(),
  pin: z.union([z.boolean(), toolHashes], 'must be true, or an object with a hash for each tool').optional(),
  scopes,
  ask: z.union([ask, z.record(z.string(), ask)], ASK_ISSUE).default('writes'),
  stateless: z.boolean().default(false),
  idempotencyKeys: z.array(z.string().min(1)).optional(),
  timeoutMs: z.int().min(1).max(DAY_MS).optional(),
  startTimeoutMs: z.int().min(100).max(DAY_MS).optional(),
  protocolVersion: z.enum(['2026-07-28', '2025-11-25']).optional(),
  /** As some desktop clients have it. */
  disabled: z.boolean().default(false),
  enabled: z.boolean().default(true),
};
const stdioServer = z.object({
  ...options,
  type: type.pipe(z.enum(['stdio', 'local'], 'must be "stdio" for a command')).optional(),
  command: z.string().min(1),
  args: z.array(text).default([]),
  env: texts,
  cwd: z.string().min(1).optional(),
});
const urlServer = z.object({
  ...options,
  type: type.pipe(z.enum(['http', 'streamablehttp', 'sse'], TYPE_ISSUE)).optional(),
  url: z.string().min(1),
  headers: texts,
  auth: authEntry.optional(),
});

type GivenTools = z.output<(typeof options)['tools']>;

/** One server of a file, and the messages about it. */
export class ServerEntry {
  readonly mistakes: string[] = [];
  readonly warnings: string[] = [];

  constructor(
    private readonly name: string,
    private readonly env: NodeJS.ProcessEnv,
    /** The file with the hashes of approved tools; nothing for servers that are in no file. */
    private readonly pinFile: PinFile | undefined,
  ) {}

  /** @returns nothing if it is disabled, or there are mistakes */
  read(value: unknown): ServerConfig | undefined {
    if (!/^\P{Cc}+$/u.test(this.name) || this.name.length > MAX_NAME_LENGTH)
      this.mistakes.push(`its name must have 1 to ${MAX_NAME_LENGTH} characters, without control characters`);
    if (isDisabled(value)) return undefined;
    const given = withUrl(z.record(z.string(), z.unknown()).safeParse(value).data);
    if (given === undefined || Object.hasOwn(given, 'command') === Object.hasOwn(given, 'url')) {
      this.mistakes.push('must be an object with either "command" or "url"');
      return undefined;
    }
    const config = Object.hasOwn(given, 'url') ? this.#urlServer(given) : this.#stdioServer(given);
    return this.mistakes.length === 0 ? config : undefined;
  }

  #stdioServer(given: object): ServerConfig | undefined {
    const data = this.#checked(stdioServer, given);
    if (data === undefined) return undefined;
    const { type: _, disabled: __, enabled: ___, tools, deny, pin, ...rest } = data;
    return {
      ...rest,
      ...this.#pins(pin),
      ...this.#toolsOf(tools, deny),
      kind: 'stdio',
      name: this.name,
      shown: [data.command, ...data.args].join(' '),
      command: this.#expanded('command', data.command),
      args: data.args.map((arg, index) => this.#expanded(`args.${index}`, arg)),
      env: this.#secrets('env', data.env),
      startTimeoutMs: data.startTimeoutMs ?? startTimeoutOf(data.command),
      ...(data.cwd !== undefined && { cwd: this.#expanded('cwd', data.cwd) }),
    };
  }

  #urlServer(given: object): ServerConfig | undefined {
    const data = this.#checked(urlServer, given);
    if (data === undefined) return undefined;
    const { type: transport, disabled: __, enabled: ___, tools, deny, pin, auth: ____, ...rest } = data;
    const url = this.#expanded('url', data.url);
    if (!['http:', 'https:'].includes(URL.parse(url)?.protocol ?? '')) this.mistakes.push('url: must be an http or https URL');
    // A password or a key in it must not end up in a message.
    const shown = data.url.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1');
    return {
      ...rest,
      ...this.#pins(pin),
      ...this.#toolsOf(tools, deny),
      kind: 'url',
      name: this.name,
      shown,
      url,
      headers: this.#secrets('headers', data.headers),
      startTimeoutMs: data.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS,
      ...this.#auth(data),
      ...(transport !== undefined && { transport: transport === 'sse' ? 'sse' : 'http' }),
    };
  }

  /** @returns nothing if it is wrong */
  #checked<T extends z.ZodObject<typeof options>>(schema: T, given: object): z.output<T> | undefined {
    for (const member of Object.keys(given))
      if (!Object.hasOwn(schema.shape, member)) this.warnings.push(`"${member}" is not known here and was not read`);
    const parsed = schema.safeParse(given);
    for (const { path, message } of parsed.error?.issues ?? []) this.mistakes.push(`${path.join('.')}: ${message}`);
    return parsed.data;
  }

  /** `true` and `false` say of a tool that it may be used, and that it may not. */
  #toolsOf(tools: GivenTools, deny: readonly string[] | undefined): Pick<ServerConfig, 'tools' | 'deny' | 'toolSettings'> {
    if (tools === undefined || Array.isArray(tools)) return { ...(tools !== undefined && { tools }), ...(deny !== undefined && { deny }) };
    const entries = Object.entries(tools);
    const denied = [...(deny ?? []), ...entries.filter(([, given]) => given === false).map(([pattern]) => pattern)];
    const settings = entries.flatMap(([pattern, given]) =>
      typeof given === 'object' ? [[pattern, this.#settings(pattern, given)] as const] : [],
    );
    return { ...(denied.length > 0 && { deny: denied }), toolSettings: Object.fromEntries(settings) };
  }

  #settings(pattern: string, { defaults, ...given }: z.output<typeof toolSettings>): ToolSettings {
    if (defaults === undefined) return given;
    const field = `tools.${pattern}.defaults`;
    return { ...given, defaults: readDefaults(defaults, (member, text) => this.#expanded(`${field}.${member}`, text)) };
  }

  #pins(pin: z.output<typeof options.pin>): Pick<ServerConfig, 'pins'> {
    const source = pin === true ? this.pinFile : pin;
    if (pin === true && source === undefined)
      this.mistakes.push('pin: true needs a file of servers, next to which the hashes are kept; give the hashes here');
    return typeof source === 'object' ? { pins: new ToolPins(this.name, source) } : {};
  }

  #secrets(field: string, values: Readonly<Record<string, string>>): Record<string, SecretText> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#secret(`${field}.${name}`, value)]));
  }

  #auth(data: z.output<typeof urlServer>): Pick<UrlServer, 'auth' | 'login'> {
    const { auth, headers } = data;
    if (auth === undefined) return {};
    if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'))
      this.mistakes.push('headers.Authorization: "auth" gives it already');
    const settings = serverAuthOf(auth, (field, text) => this.#secret(field, text));
    const warning = authWarning(auth);
    if (warning !== undefined) this.warnings.push(warning);
    if (auth.grant === 'token-exchange') this.#requireOwnConnections(data);
    return settings;
  }

  /** No two callers share a connection that has the token of one of them. */
  #requireOwnConnections({ sessions }: z.output<typeof urlServer>): void {
    if (sessions === 'shared')
      this.mistakes.push(
        'sessions: must not be "shared" with the grant "token-exchange": callers with tokens of their own share no connection',
      );
  }

  #expanded(field: string, text: string): string {
    if (namesFile(text)) this.mistakes.push(`${field}: \${file:…} may stand in "env", "headers" and "auth" only`);
    return this.#tried(field, text, () => expandVariables(text, this.env));
  }

  #secret(field: string, text: string): SecretText {
    return this.#tried<SecretText>(field, text, () => secretText(text, this.env));
  }

  #tried<T extends SecretText>(field: string, text: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof MissingVariables || error instanceof SecretUnreadable)) throw error;
      this.mistakes.push(`${field}: ${error.message}`);
      return text;
    }
  }
}

function startTimeoutOf(command: string): number {
  const [program = ''] = basename(command).split('.');
  return INSTALLERS.has(program) ? INSTALLER_START_TIMEOUT_MS : DEFAULT_START_TIMEOUT_MS;
}

function isDisabled(value: unknown): boolean {
  return z
    .object({ disabled: z.literal(true) })
    .or(z.object({ enabled: z.literal(false) }))
    .safeParse(value).success;
}

/** Windsurf and Gemini CLI have other names for the URL. Null is nothing. */
function withUrl(given: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> | undefined {
  if (given === undefined) return undefined;
  const { serverUrl, httpUrl, ...rest } = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const url = rest['url'] ?? httpUrl ?? serverUrl;
  return url === undefined ? rest : { ...rest, url };
}
