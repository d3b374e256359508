/** Reads where large values are kept. */
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

/** A folder for large values. */
export interface BlobsConfig {
  /** The absolute path. */
  readonly path: string;
  /** Somebody has named it: then it is looked at when a process starts. */
  readonly isNamed: boolean;
}

/** The name of the folder within the data folder. */
const FOLDER = 'blobs';

const MIB = 2 ** 20;

/** The range of both limits: JSON of a value, bytes. */
export const LARGE_VALUE_BYTES = { least: 64 * 1024, inRecord: 8 * MIB, most: 256 * MIB } as const;

/** Their variables. */
export const blobVariables = {
  LONGHAUL_BLOBS: z
    .string()
    .refine((text) => !text.includes('://'), 'must be the path of a folder')
    .optional(),
};

/** @param dataFile the path of the data file: large values are next to it unless another folder was set. @returns nothing if there is no place */
export function blobsConfig(place: string | undefined, dataFile: string | undefined): BlobsConfig | undefined {
  if (place !== undefined) return { path: resolve(place), isNamed: true };
  return dataFile === undefined ? undefined : { path: join(dirname(dataFile), FOLDER), isNamed: false };
}
