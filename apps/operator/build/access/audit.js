import { codeOf } from '../http/problems.js';
/** When something was done and cannot be recorded for now, the writer says so, and only the record of the task names the operator. */
export function createAudited(writer) {
    const record = ({ who, ...act }, outcome) => {
        writer.record({ who: who.name, ...act, outcome });
        return writer.flush();
    };
    return async (act, work, found) => {
        try {
            const result = await work();
            await record(found === undefined ? act : { ...act, details: { ...act.details, ...found(result) } }, 'done');
            return result;
        }
        catch (error) {
            await record(act, codeOf(error));
            throw error;
        }
    };
}
//# sourceMappingURL=audit.js.map