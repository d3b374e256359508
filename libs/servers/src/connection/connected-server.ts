import { firstCharacters } from '@longhaul/tasks/text';
import type { TaskClient, TaskReference } from '@longhaul/client';
import { within } from '@longhaul/runtime/within';
import type { CallToolResult, GetPromptResult, ReadResourceResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { answeredError } from './answered-error.js';
import { type CallServerOptions, type FollowServerOptions, ServerCalls } from './server-calls.js';
import { isAllowed, type ServerConfig } from '../config/server-config.js';
import type { ServerEvent, ServerHandlers } from './server-handlers.js';
import type { ServerLink } from '../transports/server-link.js';
import { type ListEntries, type ListKind, readList } from './server-list.js';
import { shownText, withStderr } from './shown-text.js';
import { ServerLists } from './server-lists.js';

/** At which a server's instructions to models are cut. */
const MAX_INSTRUCTION_CHARACTERS = 16_384;
/** At which its name and its version are cut. */
const MAX_ABOUT_CHARACTERS = 200;
/** How a process ends that wants to. */
const ENDED_WELL = 'ended with exit code 0';
/** How long calls may take to be cancelled, a session to be ended, and a process to end. */
const CLOSE_MS = 20_000;

const ALL: readonly ListKind[] = ['tools', 'prompts', 'resources', 'resourceTemplates'];

/** The server's own description of itself. */
export interface ServerAbout {
  readonly name?: string;
  readonly version?: string;
  readonly protocolVersion: string;
}

export interface ConnectedServerOptions {
  readonly client: TaskClient;
  readonly config: ServerConfig;
  readonly handlers: ServerHandlers;
  readonly link: ServerLink;
}

/** A server that is connected. */
export class ConnectedServer {
  readonly config: ServerConfig;
  /** For all that is no call of a tool. */
  readonly client: TaskClient;
  readonly #options: ConnectedServerOptions;
  readonly #calls: ServerCalls;
  readonly #lists: ServerLists;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(options: ConnectedServerOptions) {
    const { client, config } = options;
    this.client = client;
    this.config = config;
    this.#options = options;
    this.#calls = new ServerCalls(options);
    const { lists = 'tools-for-models' } = options.handlers;
    this.#lists = new ServerLists({
      client,
      config,
      kinds: lists === 'all' ? ALL : ['tools'],
      forModels: lists === 'tools-for-models',
      signal: this.#closing.signal,
      onChange: (list) => this.#report({ type: 'list-changed', server: this.name, list, entries: this.#lists.get(list).length }),
      onUpdated: (uri) => this.#report({ type: 'resource-updated', server: this.name, uri }),
      onWarning: (message) => this.#report({ type: 'warning', server: this.name, message }),
    });
  }

  get name(): string {
    return this.config.name;
  }

  /** The tools that may be used. The array stays the same one until they change. */
  get tools(): readonly ListedTool[] {
    return this.#lists.get('tools');
  }

  /** All of its lists that are kept, and subscriptions to its resources. */
  get lists(): Pick<ServerLists, 'get' | 'subscribe' | 'unsubscribe'> {
    return this.#lists;
  }

  /** Its instructions for models, if it has any. */
  get instructions(): string | undefined {
    const instructions = this.client.client.getInstructions();
    return instructions && firstCharacters(instructions, MAX_INSTRUCTION_CHARACTERS);
  }

  /** Whether nothing of a caller stays on the connection: there is neither a process, nor a stream, nor a session. */
  get keepsNothing(): boolean {
    return this.config.kind === 'url' && this.hasNoStream && this.client.client.transport?.sessionId === undefined;
  }

  /** Whether its end shows only when it is asked: it is a URL without a stream that ends with it. */
  get hasNoStream(): boolean {
    return this.#options.link.exited === undefined;
  }

  /** Whether it is gone with what it kept, and not because it wanted to end, as some do when they are idle. */
  get isLost(): boolean {
    const { endedByItself } = this.#options.link;
    return endedByItself !== undefined && endedByItself !== ENDED_WELL;
  }

  /** How its process or its only stream ended, if it did so by itself. */
  get endedByItself(): string | undefined {
    return this.#options.link.endedByItself;
  }

  /** Its own description of itself, and the protocol version of the connection. */
  get about(): ServerAbout {
    const { name, version } = this.client.client.getServerVersion() ?? {};
    const shown = (text: string): string => shownText(firstCharacters(text, MAX_ABOUT_CHARACTERS), this.config);
    return {
      protocolVersion: shown(this.client.client.getNegotiatedProtocolVersion() ?? this.client.generation),
      ...(typeof name === 'string' && { name: shown(name) }),
      ...(typeof version === 'string' && { version: shown(version) }),
    };
  }

  /** A line about how it ended, with the end of its standard error. */
  failure(line: string): string {
    return shownText(withStderr(line, this.#options.link.stderr), this.config);
  }

  /** Lists its tools and asks for its log; to be done once. @throws Error of the SDK */
  async open(): Promise<void> {
    const { client, generation } = this.client;
    const { link, handlers } = this.#options;
    client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) =>
      this.#report({ type: 'log', server: this.name, level, logger, data }),
    );
    const isAsked = generation === '2025-11-25' && client.getServerCapabilities()?.logging !== undefined;
    // Its log matters less than its tools: some servers declare a log and know no levels.
    if (isAsked && handlers.logLevel !== undefined)
      await client
        .setLoggingLevel(handlers.logLevel)
        .catch((error: unknown) =>
          this.#report({ type: 'warning', server: this.name, message: `it takes no level of its log: ${String(error)}` }),
        );
    await this.#lists.open();
    this.#report({ type: 'connected', server: this.name, protocolVersion: generation, tools: this.tools.length });
    const way = this.config.kind === 'stdio' ? 'process' : 'stream';
    void link.exited?.then((how) => this.#disconnected(`its ${way} ${how}`));
  }

  /**
   * Calls a tool and waits for its result, without a time limit of its own; a task is followed. The handlers answer its questions. A tool
   * that wants pages to be visited first is called again when they have been.
   *
   * @throws the errors of the client's `callTool`; Error when the server's `timeoutMs` has passed, and for a tool that may not be used;
   * ToolRefused for one that is not as it was approved
   */
  async callTool(name: string, args: Readonly<Record<string, unknown>>, options?: CallServerOptions): Promise<CallToolResult> {
    if (!isAllowed(name, this.config)) throw new Error(`The tool "${name}" of the server "${this.name}" may not be used.`);
    await this.config.pins?.require(name, this.tools);
    return this.#calls.call(name, args, options);
  }

  /** Whether it says that it has resources, or prompts. */
  has(what: 'resources' | 'prompts'): boolean {
    return this.client.client.getServerCapabilities()?.[what] !== undefined;
  }

  /** Reads one of its lists now, without keeping it. @throws Error of the client */
  async list<Kind extends ListKind>(kind: Kind, signal: AbortSignal): Promise<readonly ListEntries[Kind][]> {
    return (await readList(kind, this.client, signal)).entries;
  }

  /** Reads a resource. @throws Error of the client */
  readResource(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return this.client.client.readResource({ uri }, { signal });
  }

  /** Fills in a prompt. @throws Error of the client */
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<GetPromptResult> {
    return this.client.client.getPrompt({ name, arguments: args }, { signal });
  }

  /** Goes on with a task that another call, or another process, has left behind. @throws as `callTool` */
  async resumeTask(reference: TaskReference, options?: FollowServerOptions): Promise<CallToolResult> {
    return this.#calls.resume(reference, options);
  }

  /** Reports something about it that somebody may want to read. */
  warn(message: string): void {
    this.#report({ type: 'warning', server: this.name, message });
  }

  /** Asks it whether it is there. An error of the server is an answer. @throws Error when none comes in time */
  async check(timeoutMs: number): Promise<void> {
    const { client, generation } = this.client;
    const options = { timeout: timeoutMs };
    try {
      // The newer version has no ping.
      await (generation === '2026-07-28' ? client.discover(options) : client.ping(options));
    } catch (error) {
      if (answeredError(error) === undefined) throw error;
    }
  }

  /** Ends the connection, and its process with all that it has started. Unfinished tasks continue, if they are elsewhere. Never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /**
   * Ends it in the middle of what it does. To its calls it is lost, as if it had ended by itself.
   *
   * @param how it ended, such as `was ended by an operator`. Never rejects.
   */
  drop(how: string): Promise<void> {
    this.#closed ??= this.#drop(how);
    return this.#closed;
  }

  /** Its calls are not cancelled first: they hear that the server is lost. */
  async #drop(how: string): Promise<void> {
    const { link } = this.#options;
    this.#closing.abort(new Error('The server is disconnected.'));
    await link.end(how);
    if (link.exited === undefined) this.#disconnected(`its connection ${how}`);
  }

  async #close(): Promise<void> {
    const { link } = this.#options;
    this.#closing.abort(new Error('The server is disconnected.'));
    try {
      await within(CLOSE_MS, this.client.close(), () => {
        throw new Error(`no answer came within ${CLOSE_MS} ms`);
      });
    } catch (error) {
      this.#report({ type: 'warning', server: this.name, message: `it was not disconnected properly: ${String(error)}` });
    }
    await link.end();
    if (link.exited === undefined) this.#disconnected('its connection is closed');
  }

  #disconnected(reason: string): void {
    this.#report({ type: 'disconnected', server: this.name, reason });
  }

  #report(event: ServerEvent): void {
    this.#options.handlers.report?.(event);
  }
}
