import type { Terminal } from '../../terminal.js';
import type { Flag } from './verb.js';

/** Which code is meant, where that of the environment is not. */
export const FEATURES_FLAG: Flag = {
  name: 'features',
  value: 'MODULES',
  summary: 'modules of features, separated by commas, in place of LONGHAUL_FEATURES',
};

/** The terminal with these modules in its environment. */
export function withFeatures(terminal: Terminal, features: string | undefined): Terminal {
  return features === undefined ? terminal : { ...terminal, env: { ...terminal.env, LONGHAUL_FEATURES: features } };
}
