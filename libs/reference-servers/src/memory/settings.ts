/** Reads the environment variables of the knowledge graph. */
import { parseVariables } from '@longhaul/runtime/environment';
import { settings, wholeNumber } from '@longhaul/runtime/settings';
import { z } from 'zod';

const MIB = 1024 * 1024;

const environment = z.object(
  settings('tools', {
    LONGHAUL_MEMORY_MAX_BYTES: wholeNumber(1, 256 * MIB, 16 * MIB).meta({
      description: 'The largest knowledge graph of an owner: JSON of entities and relations, and about 90 bytes for each',
      readBy: 'gateway',
    }),
  }),
);

/** @throws ConfigError naming the variable if it is wrong, what it is and what it may be */
export function readSettings(env: NodeJS.ProcessEnv): { readonly maxBytes: number } {
  return { maxBytes: parseVariables(environment, env).LONGHAUL_MEMORY_MAX_BYTES };
}
