/**
 * An endpoint of chat completions on 127.0.0.1 that answers from a script, and keeps what it was asked. It decides nothing by
 * itself, except what a dialect refuses in any case.
 */
import { createServer } from 'node:http';
import { isJsonObject } from '@longhaul/tasks';
import { completionBody, streamBody } from './completion-body.js';
import { parserMissing, toolsEmpty } from './refusals.js';
export * from './completion-body.js';
export * from './refusals.js';
const CHARACTERS_PER_TOKEN = 3;
async function bodyOf(request) {
    const chunks = [];
    for await (const chunk of request)
        chunks.push(chunk);
    if (chunks.length === 0)
        return {};
    const body = JSON.parse(Buffer.concat(chunks).toString());
    return isJsonObject(body) ? body : {};
}
function refusalOf({ body }, { dialect = 'openai', hasToolParser = true }) {
    if (dialect !== 'vllm' || !Array.isArray(body['tools']))
        return undefined;
    if (body['tools'].length === 0)
        return toolsEmpty();
    const isAuto = body['tool_choice'] === undefined || body['tool_choice'] === 'auto';
    return isAuto && !hasToolParser ? parserMissing() : undefined;
}
async function nextReply(script, request) {
    if (typeof script === 'function')
        return script(request);
    return (script[request.number - 1] ?? { status: 400, body: { error: { message: `The script has no reply to request ${request.number}.` } } });
}
function encode(reply, { body, number }) {
    if (reply.body !== undefined) {
        const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
        return { bytes: Buffer.from(text), contentType: 'application/json' };
    }
    const streamOptions = body['stream_options'];
    const includesUsage = isJsonObject(streamOptions) && streamOptions['include_usage'] === true;
    const model = typeof body['model'] === 'string' ? body['model'] : '';
    const promptTokens = Math.ceil(JSON.stringify([body['messages'], body['tools'] ?? []]).length / CHARACTERS_PER_TOKEN);
    const frame = { model, request: number, promptTokens, includesUsage };
    if (body['stream'] !== true)
        return { bytes: Buffer.from(completionBody(reply, frame)), contentType: 'application/json' };
    return { bytes: Buffer.from(streamBody(reply, frame)), contentType: 'text/event-stream' };
}
/** Writes what the client is sent, and resolves when the socket has taken it. */
async function write(response, bytes, chunkBytes = bytes.length) {
    for (let at = 0; at < bytes.length && !response.destroyed; at += chunkBytes) {
        const { promise, resolve } = Promise.withResolvers();
        response.write(bytes.subarray(at, at + chunkBytes), () => resolve());
        await promise;
    }
}
async function send(response, reply, request) {
    if (reply.hang === 'before')
        return;
    if (reply.cut === 'before') {
        response.destroy();
        return;
    }
    const { bytes, contentType } = encode(reply, request);
    response.writeHead(reply.status ?? 200, { 'content-type': contentType, ...reply.headers });
    const isHalf = reply.hang === 'midway' || reply.cut === 'midway';
    await write(response, isHalf ? bytes.subarray(0, bytes.length / 2) : bytes, reply.chunkBytes);
    if (reply.cut === 'midway')
        response.destroy();
    else if (!isHalf)
        response.end();
}
/** Starts an endpoint that answers from a script; to requests beyond its end it answers 400. */
export async function startScriptedEndpoint(script, options = {}) {
    const requests = [];
    const answer = async (incoming, response) => {
        const body = await bodyOf(incoming);
        const { method = '', url: path = '', headers } = incoming;
        const request = { number: requests.length + 1, method, path, headers, body, isAborted: false };
        requests.push(request);
        response.on('close', () => {
            request.isAborted = !response.writableFinished;
        });
        await send(response, refusalOf(request, options) ?? (await nextReply(script, request)), request);
    };
    const server = createServer((incoming, response) => {
        answer(incoming, response).catch((error) => {
            if (!response.headersSent)
                response.writeHead(500, { 'content-type': 'text/plain' });
            response.end(String(error));
        });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
        url: `http://127.0.0.1:${server.address().port}/v1`,
        requests,
        async close() {
            const closed = new Promise((resolve) => server.close(resolve));
            server.closeAllConnections();
            await closed;
        },
    };
}
//# sourceMappingURL=scripted-endpoint.js.map