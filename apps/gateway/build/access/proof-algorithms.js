/** Signatures that proofs of keys may have. By itself, because metadata name them where nothing that verifies is loaded. */
export const PROOF_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'PS256', 'RS256', 'EdDSA', 'Ed25519'];
//# sourceMappingURL=proof-algorithms.js.map