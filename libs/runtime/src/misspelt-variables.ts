/** Finds misspelt and unknown variables: an operator meant to set them, but no process reads them. */

import { VARIABLE_NAMES } from './variable-names.js';

/** If more letters differ, the name probably belongs to another program. */
const MAX_DISTANCE = 3;

/** Access rules are an exception: an operator must not believe that access is restricted when it is not. */
const DOOR = /TOKEN|SECRET|ANONYM|ISSUER|SCOPE/i;

const LIKE_OURS = /^LONG_?HA/i;

/** A variable that is not read, and the one that it was probably meant to be. */
export interface Misspelling {
  readonly name: string;
  readonly nearest: string;
}

/** Finds variables with nearly the name of a Longhaul variable. */
export function misspeltVariables(env: NodeJS.ProcessEnv): readonly Misspelling[] {
  return Object.keys(env)
    .filter((name) => LIKE_OURS.test(name) && !VARIABLE_NAMES.includes(name))
    .flatMap((name) => {
      // Variables about clients are not compared with the operators' variables.
      const known = VARIABLE_NAMES.filter((other) => !other.startsWith('LONGHAUL_OPS_') || /OP/i.test(name.slice('LONGHAUL_'.length)));
      const [first] = known
        .map((nearest) => ({ name, nearest, distance: distanceOf(name.toUpperCase(), nearest) }))
        .sort((a, b) => a.distance - b.distance);
      const isOurs = (first?.distance ?? Infinity) <= MAX_DISTANCE || (/^LONGHAUL_/i.test(name) && DOOR.test(name));
      return first !== undefined && isOurs ? [{ name, nearest: first.nearest }] : [];
    });
}

/** Describes a misspelling, without the value. */
function describeMisspelling({ name, nearest }: Misspelling): string {
  return `${name} is not read: did you mean ${nearest}?`;
}

/** Variables that Compose files and tests read themselves, and those that Kubernetes sets for a Service whose name begins so. */
const OF_OTHERS =
  /^LONGHAUL_(PORT|TAG|STOP_GRACE|REGISTRY|REDIS_(FSYNC|MAXMEMORY)|(OPS_)?SECRETS_FILE|LOGIN_\w+|TEST_\w+|AGENT_(RUNTIME|PARSER|GGUF|\w+_IMAGE)|(\w+_)?(SERVICE_HOST|SERVICE_PORT\w*|PORT(_\d+_\w+)?))$/;

/** Finds variables that begin like those of Longhaul and resemble none of them. */
export function unknownVariables(env: NodeJS.ProcessEnv): readonly string[] {
  const misspelt = new Set(misspeltVariables(env).map(({ name }) => name));
  return Object.keys(env).filter(
    (name) => name.startsWith('LONGHAUL_') && !VARIABLE_NAMES.includes(name) && !misspelt.has(name) && !OF_OTHERS.test(name),
  );
}

/**
 * A line for each variable that no process reads, without its value.
 *
 * @param isLaunched whether another process has named the unknown ones, which a module of features may read
 */
export function variableWarnings(env: NodeJS.ProcessEnv, isLaunched = false): readonly string[] {
  const unknown = isLaunched ? [] : unknownVariables(env);
  return [...misspeltVariables(env).map(describeMisspelling), ...unknown.map((name) => `${name} is no setting of Longhaul.`)];
}

/** Letters to insert, to leave out or to replace (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split('').entries())
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}
