import { CreateMessageResultV2Schema, ElicitResultV2Schema, ListRootsResultV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2';
import { InputFailedError } from '../errors.js';
const SCHEMAS = {
    elicitation: ElicitResultV2Schema,
    sampling: CreateMessageResultV2Schema,
    roots: ListRootsResultV2Schema,
};
/**
 * The answer, if the protocol takes it as one.
 *
 * @throws InputFailedError
 */
export function checkedAnswer(kind, answer) {
    const { success, error } = SCHEMAS[kind].safeParse(answer);
    if (success)
        return answer;
    throw new InputFailedError(`What onInput.${kind} returned is no answer: ${error?.message ?? ''}`, { cause: error });
}
//# sourceMappingURL=checked-answer.js.map