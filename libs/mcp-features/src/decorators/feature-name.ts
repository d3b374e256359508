import { z } from 'zod';

/** The name of a feature without a name in its decorator: `lookUpOrder` becomes `look-up-order`. Some compilers give a number. */
export function featureName(decorator: string, method: PropertyKey): string {
  if (typeof method === 'symbol') throw new TypeError(`@${decorator} on ${String(method)} needs a name.`);
  return String(method)
    .replace(/^#/, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** The schema of features that take no arguments. */
export const NO_ARGUMENTS = z.object({});

export type NoArguments = typeof NO_ARGUMENTS;
