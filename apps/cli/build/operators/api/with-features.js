/** The terminal with these modules in the environment, in place of those that are there; as it is without. */
export function withFeatures(terminal, features) {
    return features === undefined ? terminal : { ...terminal, env: { ...terminal.env, LONGHAUL_FEATURES: features } };
}
//# sourceMappingURL=with-features.js.map