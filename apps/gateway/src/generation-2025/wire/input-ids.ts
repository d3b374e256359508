/**
 * Makes the ids of requests that a task sends to its client: `t|<taskId>|<refused>|<inputKey>|<signature>`. An id is used once: a question
 * that is asked again after a refused answer has another one.
 *
 * They are durable: any gateway that receives the answer can read from the id alone which input it answers, even after every process was
 * restarted. The signature keeps clients from answering questions that were never asked; the right of the caller to answer is checked
 * separately.
 */
import { isTaskId, type TaskId } from '@longhaul/tasks';
import { SIGNATURE_FORM, type Signer } from './signer.js';

/** The input that an id stands for. */
export interface InputRef {
  readonly taskId: TaskId;
  readonly key: string;
  /** The number of refused answers before it was asked. */
  readonly refused: number;
}

/** Makes ids and reads them back. */
export interface InputIds {
  idOf(input: InputRef): string;
  /** Returns `undefined` for any other text. */
  inputOf(id: string | number): InputRef | undefined;
}

// oxlint-disable-next-line no-restricted-globals -- Of constants.
const FORM = new RegExp(`^t\\|([0-9a-f-]{36})\\|(\\d{1,3})\\|(.+)\\|(${SIGNATURE_FORM})$`, 's');

export function createInputIds({ sign, isGenuine }: Signer): InputIds {
  const textOf = ({ taskId, key, refused }: InputRef): string => `t|${taskId}|${refused}|${key}`;
  return {
    idOf: (input) => `${textOf(input)}|${sign(textOf(input))}`,
    inputOf(id) {
      if (typeof id !== 'string') return undefined;
      const [, taskId = '', refused = '', key = '', signature = ''] = FORM.exec(id) ?? [];
      if (!isTaskId(taskId)) return undefined;
      const input = { taskId, key, refused: Number(refused) };
      return isGenuine(textOf(input), signature) ? input : undefined;
    },
  };
}
