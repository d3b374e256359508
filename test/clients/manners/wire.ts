/** How messages of JSON-RPC come and go, as bytes: no SDK is in between, so that a server sees just what is written here. */

/** A message. */
export type Message = Readonly<Record<string, unknown>>;

/** A request, with its id. */
export interface RequestMessage {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: Message;
}

/** How a client reads the response to one request. */
export interface Reading {
  /** Called for any byte of it. */
  readonly onBytes?: () => void;
  /** Closes it, where a response is a stream of its own. */
  readonly closed?: AbortSignal;
}

/** A connection, or what stands for one. */
export interface Wire {
  /** @returns the response. It stays away when the server sends none. */
  request(message: RequestMessage, reading?: Reading): Promise<Message>;
  /** Sends a notification or a response. */
  send(message: Message): Promise<void>;
  /** Reads what belongs to no request, where that needs a stream. */
  listen(): void;
  close(): Promise<void>;
}

/** Called with every message that is no response. */
export type OnMessage = (message: Message) => void;

/** @throws Error for anything but an object */
export function parseMessage(text: string): Message {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`This is no message: ${text.slice(0, 200)}`);
  return value as Message;
}

export function isResponse(message: Message): boolean {
  return 'result' in message || 'error' in message;
}
