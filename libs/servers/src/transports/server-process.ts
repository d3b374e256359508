/**
 * Runs a server's process as a transport of the SDK, instead of the SDK's own transport. The SDK's transport starts each server twice to
 * find out its protocol version, leaves processes behind that the server has started, and closes at results of 10 MB. The process leads its
 * own group (on POSIX), which is ended as a whole. Ctrl-C in a terminal does not reach it.
 */
import { JsonRpcCode } from '@longhaul/tasks';
import { firstCharacters, lastCharacters, wellFormedJson } from '@longhaul/tasks/text';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ConnectionLostError, withoutNulls } from '@longhaul/client';
import { isJSONRPCRequest, type JSONRPCMessage, parseJSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { newMark, STARTED_BY } from '@longhaul/runtime/reaper';
import { MAX_MESSAGE_BYTES } from './bounded-response.js';
import { LineSplitter } from './line-splitter.js';
import { MessagePace } from './message-pace.js';
import { ProcessGroup } from './process-group.js';
import { commandFor } from './windows-command.js';
import type { StdioServer } from '../config/server-config.js';
import { readTexts } from '../config/secret-text.js';

/** The part of standard error that is kept: its end. */
const STDERR_CHARACTERS = 8_192;
const MAX_ERROR_CHARACTERS = 500;

export type ProcessConfig = Pick<StdioServer, 'command' | 'args' | 'env' | 'cwd'>;

/** A process that speaks MCP on its standard input and output. */
export class ServerProcess implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  #child: ChildProcess | undefined;
  #group: ProcessGroup | undefined;
  #stderr = '';
  readonly #exited = Promise.withResolvers<string>();
  readonly #pace = new MessagePace();
  #ended: string | undefined;
  #isClosed = false;

  constructor(private readonly config: ProcessConfig) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The end of what it has written to its standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** How it ended, such as `ended with exit code 1`; nothing while it runs. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** The same, when it has ended. */
  get exited(): Promise<string> {
    return this.#exited.promise;
  }

  /** @throws Error if there is no such program; SecretUnreadable */
  async start(): Promise<void> {
    const { cwd = process.cwd() } = this.config;
    // The variables that desktop clients pass on, and no others: our own variables hold keys.
    const mark = newMark();
    const env = { ...getDefaultEnvironment(), ...(await readTexts(this.config.env)), [STARTED_BY]: mark };
    if (this.#isClosed) throw new Error('the server is not wanted any more');
    const { platform } = process;
    const { command, args, ...how } = commandFor(this.config.command, this.config.args, { platform, env, cwd, exists: existsSync });
    const child = spawn(command, args, {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: platform !== 'win32',
      windowsHide: true,
      cwd,
      ...how,
    });
    this.#child = child;
    // At once, not when the process reports that it runs: the worker may be killed before that.
    if (child.pid !== undefined) this.#group = new ProcessGroup(child, mark);
    this.#listen(child);
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#ended ??= `could not be started: ${startFailure(error, this.config)}`;
        reject(error);
        this.#close();
      });
    });
  }

  /** Resolves when the process has taken it, or the system for it. @throws ConnectionLostError when the process has ended: it has no whole line then */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === null || stdin === undefined || this.#isClosed) throw hasEnded();
    const written = new Promise<void>((resolve, reject) => {
      stdin.write(wellFormedJson(serializeMessage(message)), (error) =>
        error === null || error === undefined ? resolve() : reject(error),
      );
    });
    try {
      await written;
    } catch (error) {
      // It takes no message any more, so it has ended, or is ended. Whoever hears of this finds that it has.
      void this.close();
      await this.exited;
      throw hasEnded(error);
    }
  }

  /** Ends it: by the end of its input first, then by SIGTERM, then by SIGKILL. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#child?.stdin?.end();
    await this.#group?.end();
    this.#close();
  }

  #listen(child: ChildProcess): void {
    const refuse = (error: Error): void => {
      this.#ended = `was ended, because ${error.message}`;
      child.stdout?.destroy();
      void this.close();
    };
    const lines = new LineSplitter(MAX_MESSAGE_BYTES, (line) => this.#read(line), refuse);
    child.stdout?.on('data', (chunk: Buffer) => {
      try {
        lines.append(chunk);
        pauseFor(child, this.#pace.pauseMs);
      } catch (error) {
        refuse(error as Error);
      }
    });
    child.stdout?.once('close', () => lines.end());
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = lastCharacters(this.#stderr + text, STDERR_CHARACTERS);
    });
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', (error) => this.onerror?.(error));
    child.once('exit', (code, signal) => {
      this.#ended ??= signal === null ? `ended with exit code ${code}` : `ended by ${signal}`;
      this.#exited.resolve(this.#ended);
      // Processes that it has started may hold its output open.
      void this.#group?.end();
    });
    child.once('close', () => this.#close());
  }

  #read(line: string): void {
    // Some servers write other things than messages to their output; the SDK's transport skips them as well.
    const json = line.trim();
    this.#pace.count();
    if (!json.startsWith('{')) return;
    let value: unknown;
    try {
      value = JSON.parse(json);
      if (isJSONRPCRequest(value)) this.#pace.count('question');
      this.onmessage?.(parseJSONRPCMessage(withoutNulls(value)));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      const refusal = unreadableAnswer(value);
      if (refusal !== undefined) this.onmessage?.(refusal);
    }
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

/** Reads nothing of its output for so long. */
function pauseFor({ stdout }: ChildProcess, ms: number): void {
  if (ms === 0) return;
  stdout?.pause();
  setTimeout(() => stdout?.resume(), ms);
}

function hasEnded(cause?: unknown): ConnectionLostError {
  return new ConnectionLostError('The process of the server has ended.', 'none', { cause });
}

/**
 * The error instead of an unreadable answer, such as an answer with a text as its error: otherwise the request would wait for ever.
 * Undefined for anything else.
 */
function unreadableAnswer(value: unknown): JSONRPCMessage | undefined {
  if (typeof value !== 'object' || value === null || 'method' in value || !('id' in value)) return undefined;
  const { id } = value;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const said = 'error' in value ? errorText(value.error) : [];
  const message = ['The answer of the server cannot be read', ...said].join(': ');
  return { jsonrpc: '2.0', id, error: { code: JsonRpcCode.InternalError, message } };
}

function errorText(error: unknown): string[] {
  const text = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return typeof text === 'string' ? [firstCharacters(text, MAX_ERROR_CHARACTERS)] : [];
}

/** The system says ENOENT of a program as of a folder. */
function startFailure({ code, message }: NodeJS.ErrnoException, { command, cwd }: ProcessConfig): string {
  if (code !== 'ENOENT') return message;
  return cwd !== undefined && !existsSync(cwd) ? `there is no folder ${cwd}` : `there is no program ${command}`;
}
