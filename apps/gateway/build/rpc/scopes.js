/** Whether the token allows all of that. Who has no token, or a static one, may do everything. */
export function holdsScopes(auth, scopes) {
    return auth?.scopes === undefined || scopes.every((scope) => auth.scopes?.includes(scope));
}
export function createRequireScopes(challenges) {
    return (auth, scopes) => {
        if (!holdsScopes(auth, scopes))
            throw challenges.insufficient(scopes);
    };
}
//# sourceMappingURL=scopes.js.map