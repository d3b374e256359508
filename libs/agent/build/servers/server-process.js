/**
 * A server's process as a transport of the SDK, in place of the SDK's own: that one starts each server twice to find out its protocol
 * version, leaves processes behind that the server has started, and closes at results of 10 MB. The process leads a group of its own
 * (on POSIX), which is ended as a whole; Ctrl-C in a terminal does not reach it.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { MAX_MESSAGE_BYTES } from './bounded-response.js';
import { LineSplitter } from './line-splitter.js';
import { ProcessGroup } from './process-group.js';
/** What is kept of standard error: its end. */
const STDERR_CHARACTERS = 8_192;
/** A process that speaks MCP on its standard input and output. */
export class ServerProcess {
    config;
    onclose;
    onerror;
    onmessage;
    #child;
    #group;
    #stderr = '';
    #exited = Promise.withResolvers();
    #ended;
    #isClosed = false;
    constructor(config) {
        this.config = config;
    }
    get pid() {
        return this.#child?.pid;
    }
    /** The end of what it has written to its standard error. */
    get stderr() {
        return this.#stderr;
    }
    /** How it ended, such as `ended with exit code 1`; nothing while it runs. */
    get ended() {
        return this.#ended;
    }
    /** The same, when it has ended. */
    get exited() {
        return this.#exited.promise;
    }
    /** @throws Error if there is no such program */
    start() {
        const { command, args, env, cwd } = this.config;
        const child = spawn(command, args, {
            // What desktop clients pass on, and no more: our own variables hold keys.
            env: { ...getDefaultEnvironment(), ...env },
            stdio: ['pipe', 'pipe', 'pipe'],
            detached: process.platform !== 'win32',
            windowsHide: true,
            ...(cwd !== undefined && { cwd }),
        });
        this.#child = child;
        this.#listen(child);
        return new Promise((resolve, reject) => {
            child.once('spawn', () => {
                this.#group = new ProcessGroup(child);
                resolve();
            });
            child.once('error', (error) => {
                this.#ended ??= `could not be started: ${startFailure(error, this.config)}`;
                reject(error);
                this.#close();
            });
        });
    }
    /** Resolves when the process has taken it, or the system for it. @throws Error when the process has ended */
    send(message) {
        const stdin = this.#child?.stdin;
        if (stdin === null || stdin === undefined || this.#isClosed)
            return Promise.reject(new Error('The process of the server has ended.'));
        return new Promise((resolve, reject) => {
            stdin.write(serializeMessage(message), (error) => (error === null || error === undefined ? resolve() : reject(error)));
        });
    }
    /** Ends it: by the end of its input first, then by SIGTERM, then by SIGKILL. Resolves when nothing of it is left. */
    async close() {
        this.#child?.stdin?.end();
        await this.#group?.end();
        this.#close();
    }
    #listen(child) {
        const lines = new LineSplitter(MAX_MESSAGE_BYTES, (line) => this.#read(line));
        child.stdout?.on('data', (chunk) => {
            try {
                lines.append(chunk);
            }
            catch (error) {
                this.#ended = `was ended, because ${error.message}`;
                child.stdout?.destroy();
                void this.close();
            }
        });
        child.stderr?.setEncoding('utf8').on('data', (text) => {
            this.#stderr = (this.#stderr + text).slice(-STDERR_CHARACTERS);
        });
        for (const stream of [child.stdin, child.stdout, child.stderr])
            stream?.on('error', (error) => this.onerror?.(error));
        child.once('exit', (code, signal) => {
            this.#ended ??= signal === null ? `ended with exit code ${code}` : `ended by ${signal}`;
            this.#exited.resolve(this.#ended);
            // What it has started may hold its output open.
            void this.#group?.end();
        });
        child.once('close', () => this.#close());
    }
    #read(line) {
        // Some servers write other things than messages to their output; the SDK's transport skips them as well.
        if (!line.trimStart().startsWith('{'))
            return;
        try {
            this.onmessage?.(deserializeMessage(line));
        }
        catch (error) {
            this.onerror?.(error instanceof Error ? error : new Error(String(error)));
        }
    }
    #close() {
        if (this.#isClosed)
            return;
        this.#isClosed = true;
        this.onclose?.();
    }
}
/** The system says ENOENT of a program as of a folder. */
function startFailure({ code, message }, { command, cwd }) {
    if (code !== 'ENOENT')
        return message;
    return cwd !== undefined && !existsSync(cwd) ? `there is no folder ${cwd}` : `there is no program ${command}`;
}
//# sourceMappingURL=server-process.js.map