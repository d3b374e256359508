/** A token is not good. The message goes to its sender: in ASCII, without quotes, and nothing of the token itself. */
export class TokenRejected extends Error {
    name = 'TokenRejected';
}
//# sourceMappingURL=token-rejected.js.map