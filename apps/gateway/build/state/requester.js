/** Under whom is counted what is kept for a requester: the caller if it is known, otherwise its address. */
export function accountOfRequester({ accounts, owner }) {
    return accounts?.at(-1) ?? owner;
}
/** The client, as tools see it and tasks record it. */
export function clientInfoOf(requester) {
    const { generation, protocolVersion } = requester;
    return { generation, protocolVersion, ...requester.client() };
}
//# sourceMappingURL=requester.js.map