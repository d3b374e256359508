/**
 * Lists the signature algorithms that key proofs may use. A separate module, because metadata name them and must not load the code that
 * verifies.
 */
export const PROOF_ALGORITHMS: readonly string[] = ['ES256', 'ES384', 'ES512', 'PS256', 'RS256', 'EdDSA', 'Ed25519'];
