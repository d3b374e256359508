/**
 * Notes on the stream of which request each question of a server has come. A server of protocol version 2025-11-25 asks for a call on the
 * stream that answers the call, and nothing in the question names the call. A stream that is resumed is known by the id of its last event.
 */
import type { RequestId } from '@modelcontextprotocol/client';
import { inputKindOf } from '../input.js';
import { isObject } from './usable-parts.js';

/** Most streams and questions that are remembered. The oldest ones are forgotten first. */
const MAX_REMEMBERED = 1_000;

/** The lines of one stream, as they come. */
export type LineListener = (line: string) => void;

export class StreamOrigins {
  readonly #origins = new Map<RequestId, string>();
  /** The requests of streams by the ids of their last events. */
  readonly #resumable = new Map<string, string>();

  /** Listens to the stream that answers this HTTP request. @returns nothing where it belongs to no request */
  listenerFor({ body, headers }: RequestInit = {}): LineListener | undefined {
    const lastEventId = new Headers(headers).get('last-event-id') ?? '';
    const origin = typeof body === 'string' ? requestIn(body) : this.#resumable.get(lastEventId);
    if (origin === undefined) return undefined;
    let last = lastEventId;
    return (line) => {
      if (line.startsWith('data:')) this.#note(line.slice('data:'.length), origin);
      if (!line.startsWith('id:')) return;
      this.#resumable.delete(last);
      last = line.slice('id:'.length).trim();
      remember(this.#resumable, last, origin);
    };
  }

  /** The request on whose stream the question has come. It is known once. */
  take(question: RequestId): string | undefined {
    const origin = this.#origins.get(question);
    this.#origins.delete(question);
    return origin;
  }

  #note(json: string, origin: string): void {
    if (!json.includes('"method"')) return;
    const { id, method } = parsed(json);
    const isQuestion = typeof method === 'string' && inputKindOf(method) !== undefined;
    if (isQuestion && (typeof id === 'string' || typeof id === 'number')) remember(this.#origins, id, origin);
  }
}

/** The id of the request in the body. Ids of this library are texts. */
function requestIn(body: string): string | undefined {
  const { id, method } = parsed(body);
  return typeof id === 'string' && method !== undefined ? id : undefined;
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return {}; // The transport reports the mistake.
  }
}

function remember<Key>(map: Map<Key, string>, key: Key, value: string): void {
  const [oldest] = map.keys();
  if (map.size >= MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
