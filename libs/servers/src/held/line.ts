/**
 * One end of a line between two processes, over signals that may get lost: texts arrive in their order, once each, or the line ends. A text
 * goes in parts with numbers; the other end confirms the last one in order, and what is not confirmed is sent again. An end that hears
 * nothing for too long is alone.
 */
import { MAX_MESSAGE_BYTES } from '../transports/bounded-response.js';
import { UNFINISHED_MESSAGES } from '../transports/message-budget.js';

/** Of a part, characters: small enough for a store to pass on between other messages. */
const PART_CHARACTERS = 64 * 1024;
/** Parts on their way that are not confirmed. */
const WINDOW = 16;
/** Characters that wait to be sent. */
const MAX_WAITING = 2 * MAX_MESSAGE_BYTES;

/** A message between the ends. Plain JSON. */
export type LineMessage =
  | { readonly kind: 'part'; readonly number: number; readonly text: string; readonly isLast: boolean }
  /** All parts up to this one have arrived. An end that asks wants to hear the same of the other one. */
  | { readonly kind: 'confirm'; readonly number: number; readonly asks: boolean }
  | { readonly kind: 'end'; readonly reason: string };

type Part = Extract<LineMessage, { kind: 'part' }>;

export interface LineOptions {
  readonly send: (message: LineMessage) => void;
  /** The time, milliseconds. */
  readonly now: () => number;
  /** After which a part that is not confirmed is sent again. */
  readonly resendMs: number;
  /** After which the other end is gone if nothing is heard of it. */
  readonly silenceMs: number;
}

export class Line {
  /** Called with each text of the other end. */
  ontext: (text: string) => void = () => undefined;
  /** Called once when the line has ended, unless this end has ended it. */
  onend: (reason: string) => void = () => undefined;
  readonly #waiting: Part[] = [];
  readonly #sent: Part[] = [];
  readonly #texts: string[] = [];
  readonly #unfinished = UNFINISHED_MESSAGES.message(({ message }) => this.end(message));
  #characters = 0;
  #waitingCharacters = 0;
  #made = 0;
  #arrived = 0;
  #isToConfirm = false;
  #heardAt: number;
  #sentAt = 0;
  #isEnded = false;

  constructor(private readonly options: LineOptions) {
    this.#heardAt = options.now();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** @throws Error if the line has ended, or too much waits to be sent */
  send(text: string): void {
    if (this.#isEnded) throw new Error('The line to the other process has ended.');
    if (this.#waitingCharacters + text.length > MAX_WAITING) throw new Error('Too much waits to be sent to the other process.');
    for (let start = 0; start === 0 || start < text.length; start += PART_CHARACTERS) {
      this.#made += 1;
      const end = start + PART_CHARACTERS;
      this.#waiting.push({ kind: 'part', number: this.#made, text: text.slice(start, end), isLast: end >= text.length });
    }
    this.#waitingCharacters += text.length;
    this.#sendMore();
  }

  receive(message: LineMessage): void {
    if (this.#isEnded) return;
    this.#heardAt = this.options.now();
    if (message.kind === 'end') this.#close(message.reason);
    else if (message.kind === 'part') this.#take(message);
    else {
      while (this.#sent[0] !== undefined && this.#sent[0].number <= message.number) this.#sent.shift();
      if (message.asks) this.#confirm(false);
      this.#sendMore();
    }
  }

  /** To be called now and then: sends again what was lost, and finds out whether the other end is there. */
  tick(): void {
    if (this.#isEnded) return;
    const { now, resendMs, silenceMs } = this.options;
    if (now() - this.#heardAt > silenceMs) return this.end('the other process says nothing', true);
    if (this.#sent.length > 0 && now() - this.#sentAt >= resendMs) this.#sendAgain();
    if (now() - this.#heardAt > silenceMs / 3) this.#confirm(true);
  }

  /** Messages may have been lost. */
  gap(): void {
    if (this.#isEnded) return;
    this.#confirm(true);
    this.#sendAgain();
  }

  /** @param isHeard whether this end hears of it as well */
  end(reason: string, isHeard = true): void {
    if (this.#isEnded) return;
    this.options.send({ kind: 'end', reason });
    if (isHeard) this.#close(reason);
    else this.#isEnded = true;
    this.#unfinished.end();
  }

  #close(reason: string): void {
    this.#isEnded = true;
    this.#unfinished.end();
    this.onend(reason);
  }

  #sendMore(): void {
    while (this.#sent.length < WINDOW) {
      const part = this.#waiting.shift();
      if (part === undefined) return;
      this.#waitingCharacters -= part.text.length;
      this.#sent.push(part);
      this.#sentAt = this.options.now();
      this.options.send(part);
    }
  }

  #sendAgain(): void {
    this.#sentAt = this.options.now();
    for (const part of this.#sent) this.options.send(part);
  }

  #take({ number, text, isLast }: Part): void {
    this.#confirmSoon();
    // One that comes again, or before another one, comes once more.
    if (number !== this.#arrived + 1) return;
    this.#arrived = number;
    this.#characters += text.length;
    if (this.#characters > MAX_MESSAGE_BYTES) return this.end(`a message has more than ${MAX_MESSAGE_BYTES} characters`);
    try {
      this.#unfinished.take(text.length);
    } catch (error) {
      return this.end((error as Error).message);
    }
    this.#texts.push(text);
    if (!isLast) return;
    const whole = this.#texts.splice(0).join('');
    this.#characters = 0;
    this.#unfinished.end();
    this.ontext(whole);
  }

  /** Several parts of one moment are confirmed together. */
  #confirmSoon(): void {
    if (this.#isToConfirm) return;
    this.#isToConfirm = true;
    setImmediate(() => {
      this.#isToConfirm = false;
      if (!this.#isEnded) this.#confirm(false);
    });
  }

  #confirm(asks: boolean): void {
    this.options.send({ kind: 'confirm', number: this.#arrived, asks });
  }
}
