import { checkedName } from '@longhaul/tasks';
import { SUBSCRIPTIONS } from './session-value-names.js';
/** What a session holds. @param account under whom its bytes are counted. @defaultValue the session itself */
export function sessionValues(state, id, account) {
    return {
        id,
        get: async (name) => state.get(id, checkedName(name)),
        set: async (name, value) => state.set(id, checkedName(name), value, account),
        delete: async (name) => void (await state.delete(id, checkedName(name))),
        names: (prefix) => state.names(id, prefix),
        subscriptions: async () => (await state.names(id, SUBSCRIPTIONS)).map((name) => name.slice(SUBSCRIPTIONS.length)),
    };
}
//# sourceMappingURL=session-values.js.map