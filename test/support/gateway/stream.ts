/** Reads an event stream while it is open. Its messages are checked against the schemas of the specification. */
import { messagesOf } from '../event-stream.js';
import { waitUntil } from '../wait-until.js';
import { checkAnswers } from '../wire-schemas.js';

/** A POST or GET with a response that is read while it arrives. */
export interface OpenStream {
  readonly response: Response;
  /** Everything that has come so far. */
  text(): string;
  messages(): Record<string, unknown>[];
  /** The id of the last event that has come, once there is one. */
  lastEventId(): Promise<string>;
  /** Resolves with the first message that fits. */
  message(description: string, fits: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  /** Resolves when the server has ended the stream. */
  ended(): Promise<void>;
  hangUp(): void;
}

export async function openStream(url: string, init: RequestInit & { readonly headers: Record<string, string> }): Promise<OpenStream> {
  const hangUp = new AbortController();
  const response = await fetch(url, { ...init, signal: hangUp.signal });
  const decoder = new TextDecoder();
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
  })();
  reading.catch(() => undefined);
  const asked = { body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined };
  let checked = 0;
  const messages = (): Record<string, unknown>[] => {
    const all = messagesOf(text);
    checkAnswers(asked, all.slice(checked));
    checked = all.length;
    return all;
  };
  return {
    response,
    text: () => text,
    messages,
    lastEventId: () => waitUntil(() => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1], { description: 'an event has an id' }),
    message: (description, fits) => waitUntil(() => messages().find(fits), { description }),
    async ended() {
      await reading;
      messages();
    },
    hangUp: () => hangUp.abort(),
  };
}
