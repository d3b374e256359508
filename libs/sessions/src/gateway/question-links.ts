/**
 * Makes links to the pages of questions: anyone who has a link can answer that one question of a task. The token in a link is sealed, so it
 * shows nothing of its task, and only the deployment can make one. It serves this purpose only, and expires with the task or after
 * `LONGEST_MS`. Nothing is stored for a link. The page finds out whether the question is still open.
 */
import { type KeyRing, openedText, sealedText } from '@longhaul/runtime/keys';
import type { Clock, PendingInput, TaskView } from '@longhaul/tasks';

const USE = 'question links';
const PURPOSE = 'answer';
const ELICITATION = 'elicitation/create';

/** The longest time that a link works, milliseconds. */
const LONGEST_MS = 30 * 24 * 3_600_000;

/** A token has fewer characters: the key of a question has at most 256 bytes. */
const MAX_CHARACTERS = 4_096;

/** The question behind a genuine token. */
export interface LinkedQuestion {
  readonly taskId: string;
  readonly key: string;
  /** When it was asked: a task that is continued as new may ask again under the same key. */
  readonly askedAt: number;
  readonly isExpired: boolean;
  /** The operator who was given the link, for the record of the answer. */
  readonly givenTo?: string;
}

/** The question that a link is made for. */
type LinkedView = Pick<TaskView, 'taskId' | 'createdAt' | 'continuedAt' | 'standing'>;
type LinkedInput = Pick<PendingInput, 'key' | 'method' | 'askedAt'>;

/** Makes links and reads them. */
export interface QuestionLinks {
  /**
   * @param givenTo an operator who gets it and is to be named in the record
   * @returns nothing for what is no question to a person, and where the address of the deployment is not known
   */
  linkTo(view: LinkedView, input: LinkedInput, givenTo?: string): string | undefined;
  /** @returns nothing for a text that is no token of the deployment */
  open(token: string): LinkedQuestion | undefined;
}

/** @param ring of the gateways. @param publicUrl the URL of the endpoint for people, next to which the pages are */
export function createQuestionLinks(ring: KeyRing, publicUrl: string | undefined, clock: Clock = Date.now): QuestionLinks {
  return {
    linkTo(view, { key, method, askedAt }, givenTo) {
      if (publicUrl === undefined || method !== ELICITATION) return undefined;
      const plain = JSON.stringify([view.taskId, key, askedAt, endOf(view, clock()), ...(givenTo === undefined ? [] : [givenTo])]);
      return new URL(`tasks/${sealedText(ring, USE, plain, PURPOSE)}`, publicUrl).href;
    },
    open(token) {
      const plain = openedText(ring, USE, token, { associated: PURPOSE, maxCharacters: MAX_CHARACTERS });
      if (plain === undefined) return undefined;
      const [taskId, key, askedAt, expiresAt, givenTo] = JSON.parse(plain) as [string, string, number, number, string?];
      return { taskId, key, askedAt, isExpired: expiresAt <= clock(), ...(givenTo !== undefined && { givenTo }) };
    },
  };
}

/** The latest time at which the task fails without an answer, as far as it is known now. */
function endOf({ createdAt, continuedAt = createdAt, standing }: LinkedView, now: number): number {
  const { maxRunMs = Infinity, maxWaitMs = Infinity } = standing;
  return Math.min(now + LONGEST_MS, now + maxWaitMs, continuedAt + maxRunMs);
}
