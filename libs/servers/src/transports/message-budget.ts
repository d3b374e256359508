/**
 * Limits the memory of all messages that a process reads from servers at the same time: the bytes of those that have not ended yet. When
 * they are too many, the largest of these messages is refused, so that a server with large messages does not stop the small ones of others.
 */

/** The most bytes of all unfinished messages of a process. It has room for two of the largest messages. */
const MAX_UNFINISHED_BYTES = 64 * 1024 * 1024;

/** The error for a message that was refused because of all messages together. */
export class TooManyUnfinished extends Error {
  override readonly name = 'TooManyUnfinished';

  constructor(maxBytes: number) {
    super(
      `the server's message was the largest of all that are being read, which have more than ${maxBytes} bytes together; try again later`,
    );
  }
}

/** The part of a budget that one message takes. The next message of the same connection may use it after the first one has ended. */
export interface UnfinishedMessage {
  /** Counts further bytes. @throws TooManyUnfinished if this message is the largest one and must be refused */
  take(bytes: number): void;
  /** The message has ended, or is not read any more. */
  end(): void;
}

export class MessageBudget {
  #taken = 0;
  /** The refusal and the bytes of each message. */
  readonly #messages = new Map<(error: TooManyUnfinished) => void, number>();

  constructor(private readonly maxBytes: number) {}

  /** @param refuse called at most once for each message, when a message of another connection needs the room: the bytes must be dropped */
  message(refuse: (error: TooManyUnfinished) => void): UnfinishedMessage {
    // A function of its own, because it is the key.
    const key = (error: TooManyUnfinished): void => refuse(error);
    return {
      take: (bytes) => {
        const own = (this.#messages.get(key) ?? 0) + bytes;
        while (this.#taken + bytes > this.maxBytes) {
          const [largest] = [...this.#messages].reduce((a, b) => (b[1] > a[1] ? b : a), [key, own]);
          this.#end(largest);
          const error = new TooManyUnfinished(this.maxBytes);
          if (largest === key) throw error;
          largest(error);
        }
        this.#messages.set(key, own);
        this.#taken += bytes;
      },
      end: () => this.#end(key),
    };
  }

  #end(key: (error: TooManyUnfinished) => void): void {
    this.#taken -= this.#messages.get(key) ?? 0;
    this.#messages.delete(key);
  }
}

/** The budget of this process. */
export const UNFINISHED_MESSAGES = new MessageBudget(MAX_UNFINISHED_BYTES);
