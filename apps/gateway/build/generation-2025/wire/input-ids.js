/**
 * The ids of requests that a task sends to its client: `t|<taskId>|<inputKey>|<signature>`.
 *
 * They are durable: any gateway that gets the answer knows from the id alone what it answers,
 * also after every process was restarted. The signature keeps clients from answering what was never
 * asked; whether the caller may answer is checked apart from it.
 */
import { isTaskId } from '@longhaul/tasks';
import { SIGNATURE_FORM } from './signer.js';
const FORM = new RegExp(`^t\\|([0-9a-f-]{36})\\|(.+)\\|(${SIGNATURE_FORM})$`, 's');
export function createInputIds({ sign, isGenuine }) {
    const textOf = ({ taskId, key }) => `t|${taskId}|${key}`;
    return {
        idOf: (input) => `${textOf(input)}|${sign(textOf(input))}`,
        inputOf(id) {
            if (typeof id !== 'string')
                return undefined;
            const [, taskId = '', key = '', signature = ''] = FORM.exec(id) ?? [];
            if (!isTaskId(taskId))
                return undefined;
            const input = { taskId, key };
            return isGenuine(textOf(input), signature) ? input : undefined;
        },
    };
}
//# sourceMappingURL=input-ids.js.map