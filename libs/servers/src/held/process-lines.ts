/** The lines of one process to other processes of the deployment. All of them come in on one channel, which has the id of the process. */
import { randomUUID } from 'node:crypto';
import type { Signals } from '@longhaul/sessions';
import { Line, type LineMessage } from './line.js';

const RESEND_MS = 1_000;
/** Most lines of a process. */
const MAX_LINES = 1_024;

/** A message of a line, with who sends it on which line. */
interface Envelope {
  readonly line: string;
  readonly from: string;
  readonly message: LineMessage;
}

export interface ProcessLinesOptions {
  /** The id of this process. */
  readonly id: string;
  readonly signals: Signals;
  /** After which the other end of a line is gone if nothing is heard of it, milliseconds. */
  readonly silenceMs: number;
  /** Called with each line that another process begins, before its first text. */
  readonly onLine: (line: Line, from: string) => void;
  readonly onError: (error: unknown) => void;
}

export class ProcessLines {
  readonly #lines = new Map<string, Line>();
  #listening: Promise<() => void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(private readonly options: ProcessLinesOptions) {}

  /** Hears other processes from now on. @throws TaskError `STORE_UNAVAILABLE` */
  async listen(): Promise<void> {
    this.#listening ??= this.options.signals.subscribe(this.options.id, (text) => this.#hear(text)).then((stop) => stop);
    try {
      await this.#listening;
    } catch (error) {
      this.#listening = undefined;
      throw error;
    }
  }

  /** Begins a line. The other process hears of it by its first text. @throws RangeError if there are too many */
  open(to: string): Line {
    if (this.#lines.size >= MAX_LINES) throw new RangeError(`A process has at most ${MAX_LINES} lines to others.`);
    return this.#add(randomUUID(), to);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const line of this.#lines.values()) line.end('its process ends');
    this.#lines.clear();
    await this.#listening?.then((stop) => stop()).catch(this.options.onError);
  }

  #add(id: string, to: string): Line {
    const { silenceMs } = this.options;
    const send = (message: LineMessage): void => this.#send(to, id, message);
    const line = new Line({ send, now: Date.now, resendMs: RESEND_MS, silenceMs });
    this.#lines.set(id, line);
    this.#timer ??= setInterval(() => this.#tick(), Math.min(RESEND_MS, silenceMs / 4)).unref();
    return line;
  }

  #send(to: string, line: string, message: LineMessage): void {
    const { id: from, signals } = this.options;
    // What is lost is sent again, or the line ends.
    signals.publish(to, JSON.stringify({ line, from, message } satisfies Envelope)).catch(this.options.onError);
  }

  #hear(text: string | undefined): void {
    if (this.#isClosed) return;
    if (text === undefined) {
      for (const line of this.#lines.values()) line.gap();
      return;
    }
    const { line: id, from, message } = JSON.parse(text) as Envelope;
    const present = this.#lines.get(id) ?? this.#begun(id, from, message);
    if (present !== undefined) present.receive(message);
    else if (message.kind !== 'end') this.#send(from, id, { kind: 'end', reason: 'the other process does not know the line' });
    if (present?.isEnded === true) this.#lines.delete(id);
  }

  /** Only the first part of a line begins one: anything else is of a line that has ended. */
  #begun(id: string, from: string, message: LineMessage): Line | undefined {
    if (message.kind !== 'part' || message.number !== 1 || this.#lines.size >= MAX_LINES) return undefined;
    const line = this.#add(id, from);
    this.options.onLine(line, from);
    return line;
  }

  #tick(): void {
    for (const [id, line] of this.#lines) {
      line.tick();
      if (line.isEnded) this.#lines.delete(id);
    }
    if (this.#lines.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
