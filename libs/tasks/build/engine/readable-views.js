import { isStoreError } from '../errors.js';
export function isView(read) {
    return typeof read === 'object';
}
/**
 * The views of the tasks, in their order. One that cannot be read holds up no other; a look of the sweep reports it.
 *
 * @throws TaskError `STORE_UNAVAILABLE`
 */
export async function readableViews(events, taskIds, reader) {
    const read = async (some, instead) => {
        try {
            return await events.views(some, reader);
        }
        catch (error) {
            if (isStoreError(error))
                throw error;
            return instead();
        }
    };
    return read(taskIds, async () => {
        const each = await Promise.all(taskIds.map((taskId) => read([taskId], async () => ['unreadable'])));
        return each.flat();
    });
}
//# sourceMappingURL=readable-views.js.map