/** Provides the operator API for commands, over HTTP or in this process. */
import { ReadableStream, TextDecoderStream } from 'node:stream/web';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { OperatorError, type Problem } from './operator-error.js';

/** An answer, as it came. */
export interface RawAnswer {
  readonly status: number;
  /** The body as text. */
  readonly text: string;
}

/** How something is asked for. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How requests get to the API. */
export interface Transport {
  send(method: Method, path: string, body?: unknown): Promise<RawAnswer>;
  /** The body of a stream that does not end by itself. @throws OperatorError with what was answered in its place */
  stream(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}

/** A server-sent event. */
export interface ApiEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Asks the API. Every method throws OperatorError for what it refuses. */
export class OperatorApi {
  constructor(private readonly transport: Transport) {}

  /** @param query members without a value are left out */
  async get<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<T> {
    return jsonOf(await this.transport.send('GET', path + queryText(query))) as T;
  }

  /** The body of an answer as it comes. */
  bytes(path: string, signal: AbortSignal, query: Readonly<Record<string, string | undefined>> = {}): Promise<AsyncIterable<Uint8Array>> {
    return this.transport.stream(path + queryText(query), signal);
  }

  async post<T>(path: string, body: object): Promise<T> {
    return jsonOf(await this.transport.send('POST', path, body)) as T;
  }

  async put<T>(path: string, body: object): Promise<T> {
    return jsonOf(await this.transport.send('PUT', path, body)) as T;
  }

  async patch<T>(path: string, body: object): Promise<T> {
    return jsonOf(await this.transport.send('PATCH', path, body)) as T;
  }

  async delete<T>(path: string, body: object): Promise<T> {
    return jsonOf(await this.transport.send('DELETE', path, body)) as T;
  }

  /** Events until the stream ends, or the signal aborts. */
  async *events(path: string, query: Readonly<Record<string, string | number | undefined>>, signal: AbortSignal): AsyncGenerator<ApiEvent> {
    const body = ReadableStream.from(await this.transport.stream(path + queryText(query), signal));
    const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { event = 'message', data: text } of events) {
      const data: unknown = JSON.parse(text);
      if (event === 'error') throw new OperatorError({ status: 500, detail: detailOf(data), code: 'STREAM_BROKEN' });
      yield { event, data };
    }
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}

/** The error of an answer that is none of success. */
export function errorOf({ status, text }: RawAnswer): OperatorError {
  let problem: Partial<Problem> = {};
  try {
    problem = JSON.parse(text) as Partial<Problem>;
  } catch {
    // A proxy may answer with anything.
  }
  const { detail = `The operator API answers with status ${status}.`, code = 'UNKNOWN' } = problem;
  return new OperatorError({ status, detail, code });
}

function jsonOf(answer: RawAnswer): unknown {
  if (answer.status >= 400) throw errorOf(answer);
  return answer.text === '' ? undefined : (JSON.parse(answer.text) as unknown);
}

function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

function detailOf(data: unknown): string {
  return typeof data === 'object' && data !== null && 'detail' in data ? String(data.detail) : 'The stream broke.';
}
