import { resolve } from 'node:path';
import { parseVariables, sharedConfig, type SharedConfig, sharedVariables } from '@longhaul/runtime/environment';
import { optionalWholeNumber, wholeNumber } from '@longhaul/runtime/settings';
import { type CreationSettings, creationSettings, creationVariables } from '@longhaul/tasks/creation-settings';
import { z } from 'zod';
import type { StarterOptions } from './starter.js';

/** The settings of a starter in a store: variables that gateways have too, with the same meaning. */
export interface StoreSettings extends SharedConfig, CreationSettings {
  readonly maxQueued: number;
  readonly answersAllowed: boolean;
}

const variables = z.object({
  ...sharedVariables,
  ...creationVariables,
  LONGHAUL_MAX_QUEUED: wholeNumber(1, 10_000_000, 100_000),
  LONGHAUL_OPS_ANSWERS: optionalWholeNumber(0, 1),
});

/** @throws ConfigError that names each wrong variable */
export function readSettings({ redis, dataFile }: StarterOptions, settings: NodeJS.ProcessEnv): StoreSettings {
  const { REDIS_URL: _redis, LONGHAUL_DATA_DIR: _folder, ...rest } = settings;
  const data = parseVariables(variables, redis === undefined ? rest : { ...rest, REDIS_URL: redis });
  const { LONGHAUL_SQLITE_SYNC: sync, LONGHAUL_SQLITE_MAX_BYTES: maxBytes } = data;
  return {
    ...sharedConfig(data),
    ...creationSettings(data),
    ...(dataFile !== undefined && { dataFile: { path: resolve(dataFile), sync, ...(maxBytes !== undefined && { maxBytes }) } }),
    maxQueued: data.LONGHAUL_MAX_QUEUED,
    answersAllowed: data.LONGHAUL_OPS_ANSWERS !== 0,
  };
}
