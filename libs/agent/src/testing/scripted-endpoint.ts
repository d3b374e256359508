/**
 * Serves chat completions and the Responses API on 127.0.0.1 from a script, and keeps the requests. It decides nothing by itself, except the refusals of a
 * dialect.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject } from '@longhaul/tasks';
import { completionBody, streamBody } from './completion-body.js';
import { responseBody, responseStreamBody } from './responses-body.js';
import { type Dialect, parserMissing, toolsEmpty } from './refusals.js';
import type { RecordedRequest, Script, ScriptedReply } from './scripted-reply.js';

export * from './completion-body.js';
export * from './refusals.js';
export type * from './scripted-reply.js';

/** The kind of server. */
export interface EndpointOptions {
  /** vLLM refuses an empty list of tools by itself. @defaultValue `openai` */
  readonly dialect?: Dialect;
  /** Whether vLLM was started with a parser for tool calls: it refuses tools without one. @defaultValue true */
  readonly hasToolParser?: boolean;
}

/** An endpoint that is running. */
export interface ScriptedEndpoint {
  /** With `/v1` at its end: a base URL. */
  readonly url: string;
  /** In the order in which they came, as long as it runs. */
  readonly requests: readonly RecordedRequest[];
  /** Ends it, with what is open to it. */
  close(): Promise<void>;
}

const CHARACTERS_PER_TOKEN = 3;

type Recording = { -readonly [Member in keyof RecordedRequest]: RecordedRequest[Member] };

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (chunks.length === 0) return {};
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  return isJsonObject(body) ? body : {};
}

function refusedReply({ body }: RecordedRequest, { dialect = 'openai', hasToolParser = true }: EndpointOptions): ScriptedReply | undefined {
  if (dialect !== 'vllm' || !Array.isArray(body['tools'])) return undefined;
  if (body['tools'].length === 0) return toolsEmpty();
  const isAuto = body['tool_choice'] === undefined || body['tool_choice'] === 'auto';
  return isAuto && !hasToolParser ? parserMissing() : undefined;
}

async function nextReply(script: Script, request: RecordedRequest): Promise<ScriptedReply> {
  if (typeof script === 'function') return script(request);
  return (
    script[request.number - 1] ?? { status: 400, body: { error: { message: `The script has no reply to request ${request.number}.` } } }
  );
}

function encode(reply: ScriptedReply, { body, number, path }: RecordedRequest): { readonly bytes: Buffer; readonly contentType: string } {
  if (reply.body !== undefined) {
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    return { bytes: Buffer.from(text), contentType: 'application/json' };
  }
  const streamOptions = body['stream_options'];
  const includesUsage = isJsonObject(streamOptions) && streamOptions['include_usage'] === true;
  const model = typeof body['model'] === 'string' ? body['model'] : '';
  const promptTokens = Math.ceil(
    JSON.stringify([body['messages'] ?? [body['instructions'], body['input']], body['tools'] ?? []]).length / CHARACTERS_PER_TOKEN,
  );
  const frame = { model, request: number, promptTokens, includesUsage };
  const [whole, stream] = path.includes('/responses') ? [responseBody, responseStreamBody] : [completionBody, streamBody];
  if (body['stream'] !== true) return { bytes: Buffer.from(whole(reply, frame)), contentType: 'application/json' };
  return { bytes: Buffer.from(stream(reply, frame)), contentType: 'text/event-stream' };
}

/** Writes what the client is sent, and resolves when the socket has taken it. */
async function write(response: ServerResponse, bytes: Buffer, chunkBytes = bytes.length): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += chunkBytes) {
    const { promise, resolve } = Promise.withResolvers<void>();
    response.write(bytes.subarray(at, at + chunkBytes), () => resolve());
    await promise;
  }
}

async function send(response: ServerResponse, reply: ScriptedReply, request: RecordedRequest): Promise<void> {
  if (reply.hang === 'before') return;
  if (reply.cut === 'before') {
    response.destroy();
    return;
  }
  const { bytes, contentType } = encode(reply, request);
  response.writeHead(reply.status ?? 200, { 'content-type': contentType, ...reply.headers });
  const isHalf = reply.hang === 'midway' || reply.cut === 'midway';
  await write(response, isHalf ? bytes.subarray(0, bytes.length / 2) : bytes, reply.chunkBytes);
  if (reply.cut === 'midway') response.destroy();
  else if (!isHalf) response.end();
}

/** Starts an endpoint that answers from a script; to requests beyond its end it answers 400. */
export async function startScriptedEndpoint(script: Script, options: EndpointOptions = {}): Promise<ScriptedEndpoint> {
  const requests: Recording[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming);
    const { method = '', url: path = '', headers } = incoming;
    const request: Recording = { number: requests.length + 1, method, path, headers, body, isAborted: false };
    requests.push(request);
    response.on('close', () => {
      request.isAborted = !response.writableFinished;
    });
    await send(response, refusedReply(request, options) ?? (await nextReply(script, request)), request);
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
