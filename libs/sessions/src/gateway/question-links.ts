/**
 * Makes links to pages on which anybody who has the link may answer one question of a task. The token in a link is sealed: it shows nothing
 * of its task, and nobody can make or change one. It is for one question and for nothing else, and holds as long as that is asked, at most
 * `LONGEST_MS`. Whether the question is still asked, the page finds out; a link itself keeps nothing anywhere.
 */
import { type KeyRing, openedText, sealedText } from '@longhaul/runtime/keys';
import type { Clock, PendingInput, TaskView } from '@longhaul/tasks';

const USE = 'question links';
const PURPOSE = 'answer';
const ELICITATION = 'elicitation/create';

/** A link holds no longer than this, milliseconds, whatever its task may wait for. */
const LONGEST_MS = 30 * 24 * 3_600_000;

/** A token has fewer characters: the key of a question has at most 256 bytes. */
const MAX_CHARACTERS = 4_096;

/** The question behind a genuine token. */
export interface LinkedQuestion {
  readonly taskId: string;
  readonly key: string;
  /** When it was asked: a task that begins anew may ask under the same key. */
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

/** @param ring the same as that of the gateways. @param publicUrl of their endpoint, as people reach it: the pages are beside it */
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

/** When the task fails if nobody answers, as far as that is known now. */
function endOf({ createdAt, continuedAt = createdAt, standing }: LinkedView, now: number): number {
  const { maxRunMs = Infinity, maxWaitMs = Infinity } = standing;
  return Math.min(now + LONGEST_MS, now + maxWaitMs, continuedAt + maxRunMs);
}
