/**
 * The ids of requests that a task sends to its client: `t|<taskId>|<inputKey>|<signature>`.
 *
 * They are durable: any gateway that gets the answer knows from the id alone what it answers,
 * also after every process was restarted. The signature keeps clients from answering what was never
 * asked; whether the caller may answer is checked apart from it.
 */
import { isTaskId, type TaskId } from '@longhaul/tasks';
import { SIGNATURE_FORM, type Signer } from './signer.js';

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

const FORM = new RegExp(`^t\\|([0-9a-f-]{36})\\|(.+)\\|(${SIGNATURE_FORM})$`, 's');

export function createInputIds({ sign, isGenuine }: Signer): InputIds {
  const textOf = ({ taskId, key }: InputRef): string => `t|${taskId}|${key}`;
  return {
    idOf: (input) => `${textOf(input)}|${sign(textOf(input))}`,
    inputOf(id) {
      if (typeof id !== 'string') return undefined;
      const [, taskId = '', key = '', signature = ''] = FORM.exec(id) ?? [];
      if (!isTaskId(taskId)) return undefined;
      const input = { taskId, key };
      return isGenuine(textOf(input), signature) ? input : undefined;
    },
  };
}
