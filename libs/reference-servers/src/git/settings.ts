/** Reads the environment variables of the git tools. */
import { isAbsolute } from 'node:path';
import { list, parseVariables } from '@longhaul/runtime/environment';
import { z } from 'zod';

const environment = z.object({
  LONGHAUL_GIT_ROOTS: list.refine((folders) => folders.every(isAbsolute), 'must be absolute paths of folders, separated by commas'),
});

/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readSettings(env: NodeJS.ProcessEnv): { readonly roots: readonly string[] } {
  return { roots: parseVariables(environment, env).LONGHAUL_GIT_ROOTS };
}
