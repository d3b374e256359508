/** One HTTP request, sent as it is given, and everything that comes back. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { eventDataOf } from '../../support/event-stream.js';

/** An answer has to begin within this time, on any machine. */
const BEGIN_MS = 15_000;
/** A stream that says nothing for so long is closed, as its client may. */
const SILENCE_MS = 100;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** What is sent. */
export interface Sent {
  readonly method: string;
  /** What follows the address of the endpoint. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
  /** Hangs up in the middle of the body. */
  readonly hangsUp?: boolean;
}

/** What came back. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, or the data of the events, as far as it is JSON. */
  readonly messages: readonly unknown[];
  readonly isStream: boolean;
  /** Whether it was the server that ended the stream. */
  readonly hasEnded: boolean;
}

/** @throws Error when the connection breaks before the answer, or the answer does not begin in time */
export function send(url: string, { method, path, headers, body, hangsUp = false }: Sent): Promise<Received> {
  const { hostname, port, pathname } = new URL(url);
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host');
  const all = [...headers, ...(hasHost ? [] : [['host', `127.0.0.1:${port}`] as const])];
  const length = body === undefined ? [] : [['content-length', String(body.length + (hangsUp ? 10 : 0))] as const];
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      ...(hangsUp ? { agent: false as const } : { agent }),
      hostname,
      port,
      method,
      path: `${pathname}${path}`,
      setHost: false,
      headers: [...all, ...length].flat(),
    });
    const late = setTimeout(() => request.destroy(new Error('The answer did not begin in time.')), BEGIN_MS);
    request.on('response', (response) => {
      clearTimeout(late);
      read(response).then(resolve, reject);
    });
    request.on('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    if (hangsUp) request.write(body, () => setTimeout(() => request.destroy(new HungUp()), 5));
    else request.end(body);
  });
}

/** This side has ended the exchange, as planned. */
export class HungUp extends Error {
  override readonly name = 'HungUp';
}

async function read(response: IncomingMessage): Promise<Received> {
  const isStream = response.headers['content-type'] === 'text/event-stream';
  const hasEnded = await (isStream ? readStream(response) : readAll(response));
  const text = hasEnded.text;
  const data = isStream ? eventDataOf(text) : [text];
  const messages = data.flatMap((line) => parsed(line));
  return { status: response.statusCode ?? 0, headers: response.headers, text, messages, isStream, hasEnded: hasEnded.hasEnded };
}

interface Body {
  readonly text: string;
  readonly hasEnded: boolean;
}

async function readAll(response: IncomingMessage): Promise<Body> {
  const late = setTimeout(() => response.destroy(new Error('The answer did not end in time.')), BEGIN_MS);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  clearTimeout(late);
  return { text: Buffer.concat(chunks).toString(), hasEnded: true };
}

function readStream(response: IncomingMessage): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const done = (hasEnded: boolean): void => resolve({ text: Buffer.concat(chunks).toString(), hasEnded });
    const close = (): void => {
      done(false);
      response.destroy();
    };
    let silence = setTimeout(close, SILENCE_MS);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(silence);
      silence = setTimeout(close, SILENCE_MS);
    });
    response.on('close', () => {
      clearTimeout(silence);
      done(response.complete);
    });
    response.on('error', () => done(false));
  });
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text) as unknown];
  } catch {
    return [];
  }
}
