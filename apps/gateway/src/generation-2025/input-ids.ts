/**
 * The ids of requests that a task sends to its client: `t|<taskId>|<inputKey>|<signature>`.
 *
 * They are durable: whichever gateway the answer is POSTed to knows from the id alone what it answers,
 * also after every process was restarted. The signature keeps clients from answering what was never
 * asked; whether the caller may answer is checked apart from it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isTaskId, type TaskId } from '@longhaul/tasks';

/** The input that an id stands for. */
export interface InputRef {
  readonly taskId: TaskId;
  readonly key: string;
}

/** Makes ids and reads them back. */
export interface InputIds {
  idOf(input: InputRef): string;
  /** Returns `undefined` for anything that these ids do not include. */
  inputOf(id: string | number): InputRef | undefined;
}

const SIGNATURE_LENGTH = 22;
const FORM = new RegExp(`^t\\|([0-9a-f-]{36})\\|(.+)\\|([\\w-]{${SIGNATURE_LENGTH}})$`, 's');

/** @param secret shared by all gateways of a deployment */
export function createInputIds(secret: string): InputIds {
  const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url').slice(0, SIGNATURE_LENGTH);
  return {
    idOf({ taskId, key }) {
      const text = `t|${taskId}|${key}`;
      return `${text}|${sign(text)}`;
    },
    inputOf(id) {
      if (typeof id !== 'string') return undefined;
      const [, taskId = '', key = '', signature = ''] = FORM.exec(id) ?? [];
      if (!isTaskId(taskId)) return undefined;
      const isGenuine = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(`t|${taskId}|${key}`)));
      return isGenuine ? { taskId, key } : undefined;
    },
  };
}
