/** Leaves results of tools out of a conversation that is too long for its model, the oldest first. */
import type { Message } from '../conversation/messages.js';

/** Attempts in which only some results are left out; then all are. */
const PARTIAL_TRIMS = 4;
/** Counts of tokens are rough, and the answer needs room too. */
const SAFETY = 0.9;
const SHARE_IF_UNKNOWN = 0.5;
const NOTE_CHARACTERS = 160;

function lengthOf({ content }: Message): number {
  return typeof content === 'string' ? content.length : JSON.stringify(content).length;
}

function noteOf(message: Message): string {
  return `[This result of ${lengthOf(message)} characters was left out, as the conversation is too long. Ask for less if you need it again.]`;
}

/** Where results are that are longer than the note that stands for them. */
function trimmable(messages: readonly Message[]): number[] {
  return messages.flatMap((message, at) => (message.role === 'tool' && lengthOf(message) > NOTE_CHARACTERS ? [at] : []));
}

/** The conversation with notes instead of so many results. */
function withoutOldestResults(messages: readonly Message[], count: number): readonly Message[] {
  const left = new Set(trimmable(messages).slice(0, count));
  return messages.map((message, at) => (message.role === 'tool' && left.has(at) ? { ...message, content: noteOf(message) } : message));
}

/** Decides how many results to leave out of a conversation, after it was refused with fewer left out. */
export class ResultTrimming {
  #count = 0;
  #trims = 0;

  constructor(private readonly messages: readonly Message[]) {}

  /** Results that are left out. */
  get count(): number {
    return this.#count;
  }

  /** The messages to send. */
  get trimmed(): readonly Message[] {
    return withoutOldestResults(this.messages, this.#count);
  }

  /**
   * Leaves out more. @param share of the sent conversation that fits, if that is known
   * @returns false when there is nothing more to leave out
   */
  trim(share = SHARE_IF_UNKNOWN): boolean {
    const all = trimmable(this.messages);
    if (this.#count >= all.length) return false;
    this.#trims += 1;
    const sent = this.trimmed.reduce((sum, message) => sum + lengthOf(message), 0);
    let excess = sent * (1 - share * SAFETY);
    do {
      const at = all[this.#count];
      const result = at === undefined ? undefined : this.messages[at];
      if (result !== undefined) excess -= lengthOf(result) - noteOf(result).length;
      this.#count += 1;
    } while (this.#count < all.length && (excess > 0 || this.#trims > PARTIAL_TRIMS));
    return true;
  }
}
