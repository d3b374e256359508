/**
 * The servers of an agent, in the form in which desktop clients keep theirs: `{"mcpServers": {"name": {"command": …}}}`, with a few
 * members of our own. Members that nobody here knows are left out with a warning: such files have those of other programs.
 */
import { readFile } from 'node:fs/promises';
import { ConfigError } from '@longhaul/runtime/environment';
import { z } from 'zod';
import { expandVariables, MissingVariables } from './expand-variables.js';
const DAY_MS = 86_400_000;
/** A package that `npx` has to download first takes its time. */
const DEFAULT_START_TIMEOUT_MS = 60_000;
const MAX_NAME_LENGTH = 64;
const HTTP_TYPES = ['http', 'streamable-http', 'streamableHttp'];
const ask = z.enum(['always', 'writes', 'never']);
const ASK_ISSUE = 'must be "always", "writes" or "never", or an object with one of them for each tool';
const TYPE_ISSUE = `must be "${HTTP_TYPES.join('" or "')}" beside a URL: the older transport "sse" is not spoken`;
const texts = z.record(z.string(), z.string()).default({});
const options = {
    tools: z.array(z.string().min(1)).optional(),
    ask: z.union([ask, z.record(z.string(), ask)], ASK_ISSUE).default('writes'),
    stateless: z.boolean().default(false),
    idempotencyKeys: z.array(z.string().min(1)).optional(),
    timeoutMs: z.int().min(1).max(DAY_MS).optional(),
    startTimeoutMs: z.int().min(100).max(DAY_MS).default(DEFAULT_START_TIMEOUT_MS),
    protocolVersion: z.enum(['2026-07-28', '2025-11-25']).optional(),
    /** As some desktop clients have it. */
    disabled: z.boolean().default(false),
};
const stdioServer = z.object({
    ...options,
    type: z.literal('stdio', 'must be "stdio" beside a command').optional(),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: texts,
    cwd: z.string().min(1).optional(),
});
const urlServer = z.object({
    ...options,
    type: z.enum(HTTP_TYPES, TYPE_ISSUE).optional(),
    url: z.string().min(1),
    headers: texts,
});
/**
 * Reads the servers from a file, or from the JSON itself, which begins with a brace.
 *
 * @throws ConfigError with a line for each mistake that names the file, the server and the field
 */
export async function readServers(source, env) {
    if (source.trimStart().startsWith('{'))
        return parseServers(source, { from: 'LONGHAUL_AGENT_SERVERS', env });
    try {
        return parseServers(await readFile(source, 'utf8'), { from: source, env });
    }
    catch (error) {
        if (error instanceof ConfigError)
            throw error;
        throw new ConfigError(`${source}: the file of servers cannot be read (${error.code ?? String(error)})`);
    }
}
/** The same for a text that has been read. */
export function parseServers(text, { from, env }) {
    const warnings = [];
    const mistakes = [];
    const servers = Object.entries(membersOf(text, from)).flatMap(([name, value]) => {
        const server = new ServerEntry(name, env);
        const config = server.read(value);
        mistakes.push(...server.mistakes.map((line) => `${from}: server "${name}": ${line}`));
        warnings.push(...server.warnings.map((line) => `${from}: server "${name}": ${line}`));
        return config ?? [];
    });
    if (mistakes.length > 0)
        throw new ConfigError(mistakes.join('\n'));
    return { servers, warnings };
}
function membersOf(text, from) {
    let file;
    try {
        file = JSON.parse(text);
    }
    catch {
        // The parser's message shows a part of the text, which may be a secret.
        throw new ConfigError(`${from}: must be JSON`);
    }
    const parsed = z.object({ mcpServers: z.record(z.string(), z.unknown()) }).safeParse(file);
    if (!parsed.success)
        throw new ConfigError(`${from}: must have a member "mcpServers", an object with the servers by their names`);
    return parsed.data.mcpServers;
}
/** One server of a file, and what is to be said of it. */
class ServerEntry {
    name;
    env;
    mistakes = [];
    warnings = [];
    constructor(name, env) {
        this.name = name;
        this.env = env;
    }
    /** @returns nothing if it is disabled, or there are mistakes */
    read(value) {
        if (!/^\P{Cc}+$/u.test(this.name) || this.name.length > MAX_NAME_LENGTH)
            this.mistakes.push(`its name must have 1 to ${MAX_NAME_LENGTH} characters, without control characters`);
        const given = z.record(z.string(), z.unknown()).safeParse(value).data;
        if (given === undefined || Object.hasOwn(given, 'command') === Object.hasOwn(given, 'url')) {
            this.mistakes.push('must be an object with either "command" or "url"');
            return undefined;
        }
        const config = Object.hasOwn(given, 'url') ? this.#urlServer(given) : this.#stdioServer(given);
        return this.mistakes.length === 0 ? config : undefined;
    }
    #stdioServer(given) {
        const data = this.#checked(stdioServer, given);
        if (data === undefined)
            return undefined;
        const { type: _, disabled: __, ...rest } = data;
        return {
            ...rest,
            kind: 'stdio',
            name: this.name,
            shown: [data.command, ...data.args].join(' '),
            command: this.#expanded('command', data.command),
            args: data.args.map((arg, index) => this.#expanded(`args.${index}`, arg)),
            env: this.#allExpanded('env', data.env),
            ...(data.cwd !== undefined && { cwd: this.#expanded('cwd', data.cwd) }),
        };
    }
    #urlServer(given) {
        const data = this.#checked(urlServer, given);
        if (data === undefined)
            return undefined;
        const { type: _, disabled: __, ...rest } = data;
        const url = this.#expanded('url', data.url);
        if (!['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''))
            this.mistakes.push('url: must be an http or https URL');
        // A password or a key in it must not end up in a message.
        const shown = data.url.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1');
        return { ...rest, kind: 'url', name: this.name, shown, url, headers: this.#allExpanded('headers', data.headers) };
    }
    /** @returns nothing if it is disabled, or wrong */
    #checked(schema, given) {
        for (const member of Object.keys(given))
            if (!Object.hasOwn(schema.shape, member))
                this.warnings.push(`"${member}" is not known here and was not read`);
        const parsed = schema.safeParse(given);
        for (const { path, message } of parsed.error?.issues ?? [])
            this.mistakes.push(`${path.join('.')}: ${message}`);
        return parsed.success && !parsed.data.disabled ? parsed.data : undefined;
    }
    #allExpanded(field, values) {
        return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#expanded(`${field}.${name}`, value)]));
    }
    #expanded(field, text) {
        try {
            return expandVariables(text, this.env);
        }
        catch (error) {
            if (!(error instanceof MissingVariables))
                throw error;
            this.mistakes.push(`${field}: ${error.message}`);
            return text;
        }
    }
}
//# sourceMappingURL=servers-file.js.map