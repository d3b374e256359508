/** A text that the user says. */
export function userMessage(text) {
    return { role: 'user', content: { type: 'text', text } };
}
//# sourceMappingURL=user-message.js.map