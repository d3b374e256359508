import { CreateMessageResultV2Schema, ElicitResultV2Schema, ListRootsResultV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2';
import { InputFailedError } from '../errors.js';
import type { InputKind } from '../input.js';

/** Only the used parts of the schemas: their full types are too deep for the compiler. */
interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: Error | undefined };
}

const SCHEMAS: Readonly<Record<InputKind, Schema>> = {
  elicitation: ElicitResultV2Schema,
  sampling: CreateMessageResultV2Schema,
  roots: ListRootsResultV2Schema,
};

/**
 * The answer, if the protocol takes it as one.
 *
 * @throws InputFailedError
 */
export function checkedAnswer(kind: InputKind, answer: unknown): unknown {
  const { success, error } = SCHEMAS[kind].safeParse(answer);
  if (success) return answer;
  throw new InputFailedError(`What onInput.${kind} returned is no answer: ${error?.message ?? ''}`, { cause: error });
}
