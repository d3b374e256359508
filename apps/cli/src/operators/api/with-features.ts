import type { Terminal } from '../../terminal.js';

/** The terminal with these modules in the environment, in place of those that are there; as it is without. */
export function withFeatures(terminal: Terminal, features: string | undefined): Terminal {
  return features === undefined ? terminal : { ...terminal, env: { ...terminal.env, LONGHAUL_FEATURES: features } };
}
