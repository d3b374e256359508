import { type Answer, keyOf, type Question } from './question.js';

interface Entry {
  readonly key: string;
  readonly answer: PromiseWithResolvers<Answer>;
  /** Whether the call has asked it, in this pass. */
  isAsked: boolean;
  /** Whether the workflow has seen to it. */
  isRelayed: boolean;
}

/**
 * Passes questions from a call that cannot be interrupted to the workflow that runs in parallel. In a replay the workflow relays the
 * questions of an earlier try before the call asks them again.
 */
export class QuestionDesk {
  private readonly entries: Entry[] = [];
  private readonly unseen: Question[] = [];
  private isClosed = false;
  private change = Promise.withResolvers<void>();

  /** Asks, unless the same question has been relayed already and has not been asked since. */
  ask(question: Question): Promise<Answer> {
    const relayed = this.entries.find(({ key, isAsked }) => !isAsked && key === keyOf(question));
    const entry = relayed ?? this.enter(question);
    entry.isAsked = true;
    if (relayed === undefined) {
      this.unseen.push(question);
      this.change.resolve();
    }
    return entry.answer.promise;
  }

  /** The next question that has not been read; nothing once the call has ended. @throws the reason of the signal */
  async next(signal: AbortSignal): Promise<Question | undefined> {
    signal.addEventListener('abort', () => this.change.resolve(), { once: true });
    for (;;) {
      signal.throwIfAborted();
      const question = this.unseen.shift();
      if (question !== undefined || this.isClosed) return question;
      await this.change.promise;
      this.change = Promise.withResolvers();
    }
  }

  /** Gives the answer to who has asked, or will ask. @param answer never rejects */
  relay(question: Question, answer: Promise<Answer>): void {
    const entry = this.entries.find(({ key, isRelayed }) => !isRelayed && key === keyOf(question)) ?? this.enter(question);
    entry.isRelayed = true;
    entry.answer.resolve(answer);
  }

  /** Ends the desk with its call. */
  close(): void {
    this.isClosed = true;
    this.change.resolve();
  }

  private enter(question: Question): Entry {
    const entry = { key: keyOf(question), answer: Promise.withResolvers<Answer>(), isAsked: false, isRelayed: false };
    this.entries.push(entry);
    return entry;
  }
}
