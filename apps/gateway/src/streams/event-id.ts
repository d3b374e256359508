/** Makes the ids of server-sent events: `<streamId>_<n>`, so that an id alone says where to continue. */
import { randomBytes } from 'node:crypto';

/** A position in a stream: after its entry `n`, or before the first one. */
export interface Cursor {
  readonly streamId: string;
  readonly n: number;
}

const FORM = /^([\w-]{22})_(0|[1-9]\d{0,9})$/;

/** A random id that cannot be guessed. */
export function newStreamId(): string {
  return randomBytes(16).toString('base64url');
}

export function eventId({ streamId, n }: Cursor): string {
  return `${streamId}_${n}`;
}

/** Returns `undefined` for a text that is no event id. */
export function cursorOf(text: string): Cursor | undefined {
  const [, streamId, n] = FORM.exec(text) ?? [];
  return streamId === undefined ? undefined : { streamId, n: Number(n) };
}
