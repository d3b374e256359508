import { checkedScopes } from './scopes.js';
/** The needs with their defaults. @throws TypeError for what is no scope */
export function statedNeeds({ needs = [], needsSession = false, scopes = [] }) {
    return { needs, needsSession, scopes: checkedScopes(scopes) };
}
//# sourceMappingURL=needs.js.map