/** A text that nobody else comes upon. `crypto.randomUUID` would not do: pages without TLS do not have it. */
export function randomToken() {
    return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
//# sourceMappingURL=random-token.js.map