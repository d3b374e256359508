/** A bridge between the test and a gateway that does what the test says. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Bridge } from './bridge.js';
import { GatewayConnection } from './gateway-connection.js';
import { readLines } from './lines.js';
import { Output } from './output.js';
export class ScriptedGateway {
    received = [];
    /** Lines that were logged. */
    logged = [];
    clientReceived = [];
    /** When; milliseconds from some moment on. */
    clientReceivedAt = [];
    bridge;
    ended;
    #folder = mkdtempSync(join(tmpdir(), 'longhaul-bridge-'));
    #input = new PassThrough();
    #server;
    constructor(maxLineBytes) {
        const stdout = new PassThrough();
        let rest = '';
        stdout.on('data', (chunk) => {
            const lines = (rest + chunk.toString()).split('\n');
            rest = lines.pop() ?? '';
            for (const line of lines) {
                this.clientReceived.push(JSON.parse(line));
                this.clientReceivedAt.push(performance.now());
            }
        });
        const log = (line) => void this.logged.push(line);
        const connection = new GatewayConnection(this.#socket, 'http://localhost/mcp');
        this.bridge = new Bridge({ connection, output: new Output(stdout), log });
        this.ended = this.bridge.run(readLines(this.#input, maxLineBytes));
    }
    /** The gateway does not listen yet. */
    static create(maxLineBytes = 1_000_000) {
        return new ScriptedGateway(maxLineBytes);
    }
    /** Answers `initialize` and takes notifications; the handler gets all other messages. */
    async listen(handler) {
        await this.listenToAll((received) => (isHandshake(received) ? shakeHands(received) : handler(received)));
    }
    /** The handler gets every message. */
    async listenToAll(handler) {
        const server = createServer((request, response) => void this.#receive(request, response).then(handler));
        this.#server = server.listen(this.#socket);
        await once(server, 'listening');
    }
    /** As a kill would. */
    async die() {
        this.#server?.closeAllConnections();
        this.#server?.close();
        this.#server = undefined;
    }
    send(...messages) {
        for (const message of messages)
            this.#input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    }
    /** Begins a session. */
    open() {
        this.send(INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' });
    }
    endInput() {
        this.#input.end();
    }
    async close() {
        await this.bridge.close(0);
        this.endInput();
        await this.ended;
        await this.die();
        rmSync(this.#folder, { recursive: true });
    }
    get #socket() {
        return join(this.#folder, 'gateway.sock');
    }
    async #receive(request, response) {
        const body = await text(request);
        const { method, headers } = request;
        const received = { method, headers, response, message: body === '' ? undefined : JSON.parse(body) };
        this.received.push(received);
        return received;
    }
}
export const INITIALIZE = {
    jsonrpc: '2.0',
    id: 'init',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
function isHandshake({ method, message }) {
    if (method === 'POST')
        return message?.method === 'initialize' || (message?.method !== undefined && message.id === undefined);
    return method === 'DELETE';
}
function shakeHands({ message, response }) {
    if (message?.method !== 'initialize')
        return void response.writeHead(message === undefined ? 200 : 202).end();
    response.setHeader('mcp-session-id', 's-1');
    answer(response, { jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25' } });
}
/** Answers with JSON. */
export function answer(response, body, status = 200) {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
/** Begins an event stream, or goes on with it. @param id where it can be resumed */
export function stream(response, { id, message } = {}) {
    if (!response.headersSent)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 10\n\n');
    const data = message === undefined ? '' : JSON.stringify(message);
    response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
}
//# sourceMappingURL=scripted-gateway.fixture.js.map