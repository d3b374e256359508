import type { Given } from './command-line/command.js';
import type { Terminal } from './terminal.js';
import { UserError } from './user-error.js';

/** The terminal with these modules in the environment instead of the configured ones; unchanged without modules. */
export function withFeatures(terminal: Terminal, features: string | undefined): Terminal {
  return features === undefined ? terminal : { ...terminal, env: { ...terminal.env, LONGHAUL_FEATURES: features } };
}

/** The same with the modules that the words of a command name. @throws UserError for a name that cannot be in a list */
export function withNamedFeatures(terminal: Terminal, { words }: Given): Terminal {
  const comma = words.find((name) => name.includes(','));
  if (comma !== undefined) throw new UserError(`a module cannot have a comma in its name, got "${comma}"`, 2);
  return withFeatures(terminal, words.length === 0 ? undefined : words.join(','));
}
