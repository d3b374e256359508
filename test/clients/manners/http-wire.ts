/** Sends messages over HTTP: each in a request of its own, whose response is JSON or a stream of events. */
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { createParser } from 'eventsource-parser';
import { isResponse, type Message, type OnMessage, parseMessage, type Reading, type RequestMessage, type Wire } from './wire.ts';

const BOTH_FORMS = 'application/json, text/event-stream';

/** What a client says in headers. */
export interface HttpManner {
  readonly accept?: string;
  readonly protocolVersion: string;
}

interface Sent extends Reading {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly body?: Message;
}

/** @param manner its version is sent as soon as there is a session, or always where there is none */
export function openHttp(url: string, { accept = BOTH_FORMS, protocolVersion }: HttpManner, onMessage: OnMessage): Wire {
  const agent = new Agent({ keepAlive: true });
  const isModern = protocolVersion === '2026-07-28';
  const ended = new AbortController();
  let session: string | undefined;

  function headersOf({ method, body }: Sent): Record<string, string> {
    return {
      accept: method === 'GET' ? 'text/event-stream' : accept,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...((isModern || session !== undefined) && { 'mcp-protocol-version': protocolVersion }),
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...(isModern && body !== undefined && modernHeaders(body)),
    };
  }

  function open(sent: Sent): Promise<IncomingMessage> {
    const signal = sent.closed === undefined ? ended.signal : AbortSignal.any([ended.signal, sent.closed]);
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(url, { method: sent.method, headers: headersOf(sent), agent, signal }, resolve);
      outgoing.on('error', reject);
      outgoing.end(sent.body === undefined ? undefined : JSON.stringify(sent.body));
    });
  }

  async function drain(sent: Sent): Promise<void> {
    for await (const _ of await open(sent));
  }

  return {
    async request(message, reading = {}) {
      const response = await open({ ...reading, method: 'POST', body: { ...message } });
      const given = response.headers['mcp-session-id'];
      if (typeof given === 'string') session = given;
      return readResponse(response, message, reading, onMessage);
    },
    send: (message) => drain({ method: 'POST', body: message }),
    listen() {
      open({ method: 'GET' })
        .then((response) => readStream(response, {}, onMessage))
        .catch((error: unknown) => {
          if (!ended.signal.aborted) onMessage({ method: 'the stream broke', params: { error: String(error) } });
        });
    },
    async close() {
      if (session !== undefined) await drain({ method: 'DELETE' });
      ended.abort();
      agent.destroy();
    },
  };
}

function modernHeaders({ method, params }: Message): Record<string, string> {
  const { name, uri, taskId } = (params ?? {}) as Record<string, unknown>;
  const named = name ?? uri ?? taskId;
  return { ...(typeof method === 'string' && { 'mcp-method': method }), ...(typeof named === 'string' && { 'mcp-name': named }) };
}

async function readResponse(response: IncomingMessage, { id, method }: RequestMessage, reading: Reading, onMessage: OnMessage) {
  if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
    const found = await readStream(response, reading, onMessage, id);
    if (found === undefined) throw new Error(`The stream of ${method} ended without a response.`);
    return found;
  }
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    reading.onBytes?.();
    text += String(part);
  }
  if (text === '') throw new Error(`${method} was answered with ${response.statusCode}.`);
  return parseMessage(text);
}

/** Reads all of it. @returns the response with the id, as soon as it is there; undefined at the end of a stream without it */
function readStream(response: IncomingMessage, { onBytes }: Reading, onMessage: OnMessage, id?: number): Promise<Message | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Message | undefined>();
  const parser = createParser({
    onEvent({ data }) {
      if (data === '') return;
      const message = parseMessage(data);
      if (!isResponse(message)) onMessage(message);
      else if (message['id'] === id) resolve(message);
    },
  });
  response.setEncoding('utf8');
  response.on('data', (part: string) => {
    onBytes?.();
    parser.feed(part);
  });
  response.on('end', () => resolve(undefined));
  response.on('error', reject);
  return promise;
}
