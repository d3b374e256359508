import { type Answer, keyOf, type Question } from './question.js';

/** Keeps answers that are known before they are asked for, by their questions. A question that is asked twice has two answers. */
export class AnswerBook {
  private readonly answers = new Map<string, Answer[]>();

  add(question: Question, answer: Answer): void {
    const key = keyOf(question);
    this.answers.set(key, [...(this.answers.get(key) ?? []), answer]);
  }

  /** Forgets the first answer to each of these: it has been given. */
  drop(keys: readonly string[]): void {
    for (const key of keys) this.answers.get(key)?.shift();
  }

  /** Forgets all answers. */
  clear(): void {
    this.answers.clear();
  }

  /** For one try: it is asked everything again, so it is given the answers from the first one on. */
  open(): OpenBook {
    return new OpenBook(this.answers);
  }
}

/** The answers, as one try is given them. */
export class OpenBook {
  /** The keys of the questions that were answered, in their order. */
  readonly given: string[] = [];

  constructor(private readonly answers: ReadonlyMap<string, readonly Answer[]>) {}

  /** The next answer to this question. */
  find(question: Question): Answer | undefined {
    const key = keyOf(question);
    const answer = this.answers.get(key)?.[this.given.filter((each) => each === key).length];
    if (answer !== undefined) this.given.push(key);
    return answer;
  }
}
