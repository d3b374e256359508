/** Reads the environment variables of the git tools. */
import { isAbsolute } from 'node:path';
import { parseVariables } from '@longhaul/runtime/environment';
import { list, settings } from '@longhaul/runtime/settings';
import { z } from 'zod';

const environment = z.object(
  settings('tools', {
    LONGHAUL_GIT_ROOTS: list
      .refine((folders) => folders.every(isAbsolute), 'must be absolute paths of folders, separated by commas')
      .meta({
        allowed: 'absolute paths of folders, separated by commas',
        description: 'Folders with repositories for the git tools, which are listed only with it. Only workers need your folders',
      }),
  }),
);

/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readSettings(env: NodeJS.ProcessEnv): { readonly roots: readonly string[] } {
  return { roots: parseVariables(environment, env).LONGHAUL_GIT_ROOTS };
}
