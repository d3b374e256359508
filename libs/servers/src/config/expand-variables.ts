const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
/** A value that an editor would ask its user for. */
const QUESTION = /\$\{input:[^}]*\}/;

/** Variables that are not set. */
export class MissingVariables extends Error {
  override readonly name = 'MissingVariables';

  constructor(readonly names: readonly string[]) {
    super(`${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not set`);
  }
}

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-text}` by variables of the environment. The last becomes the text if the variable is not
 * set or empty.
 *
 * @throws MissingVariables
 */
export function expandVariables(text: string, env: NodeJS.ProcessEnv): string {
  const missing = new Set<string>(QUESTION.exec(text) ?? []);
  const expanded = text.replaceAll(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const value = env[name];
    if (value === undefined && fallback === undefined) missing.add(name);
    return fallback === undefined || (value ?? '') !== '' ? (value ?? '') : fallback;
  });
  if (missing.size > 0) throw new MissingVariables([...missing]);
  return expanded;
}
