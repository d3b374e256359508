/**
 * The ids of requests that a task sends to its client: `t|<taskId>|<refused>|<inputKey>|<signature>`. An id is used once:
 * a question that is asked again, since an answer to it was refused, has another one.
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
  /** How many answers to it had been refused when it was asked. */
  readonly refused: number;
}

/** Makes ids and reads them back. */
export interface InputIds {
  idOf(input: InputRef): string;
  /** Returns `undefined` for anything that these ids do not include. */
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
