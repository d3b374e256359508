/** Reads where large values are kept: a folder, or a bucket of a server that speaks the protocol of S3. */
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

/** A folder for large values. */
export interface FolderConfig {
  readonly kind: 'folder';
  /** The absolute path. */
  readonly path: string;
  /** Somebody has named it: then it is looked at when a process starts. */
  readonly isNamed: boolean;
}

/** A bucket for large values. */
export interface BucketConfig {
  readonly kind: 'bucket';
  readonly name: string;
  /** What the names of its objects begin with, without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string;
  readonly region: string;
  /** The URL of the server. @defaultValue the server of Amazon for the region */
  readonly endpoint?: string;
}

/** Where large values are kept. */
export type BlobsConfig = FolderConfig | BucketConfig;

/** `s3://bucket/prefix`. */
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/;

/** The name of the folder within the data folder. */
const FOLDER = 'blobs';

const MIB = 2 ** 20;

/** The range of both limits: JSON of a value, bytes. */
export const LARGE_VALUE_BYTES = { least: 64 * 1024, inRecord: 8 * MIB, most: 256 * MIB } as const;

/** Their variables, which the settings of the data declare. */
export const blobVariables = {
  LONGHAUL_BLOBS: z
    .string()
    .refine((text) => !text.includes('://') || BUCKET.test(text), 'must be the path of a folder, or s3://BUCKET or s3://BUCKET/PREFIX')
    .optional()
    .meta({
      allowed: 'the path of a folder, `s3://BUCKET` or `s3://BUCKET/PREFIX`',
      description:
        'The folder or bucket for [large values](large-values.md). Without it: `blobs` next to the data file; with Redis you have none',
    }),
  LONGHAUL_BLOBS_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be the http:// or https:// URL of a server' })
    .optional()
    .meta({ allowed: 'an http:// or https:// URL', description: 'The server of your bucket, if it is not one of Amazon' }),
  LONGHAUL_BLOBS_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be the name of a region, such as eu-central-1')
    .default('us-east-1')
    .meta({ allowed: 'the name of a region', description: 'The region of your bucket' }),
};

/** The settings as they were given. */
export interface GivenBlobs {
  readonly LONGHAUL_BLOBS?: string | undefined;
  readonly LONGHAUL_BLOBS_ENDPOINT?: string | undefined;
  readonly LONGHAUL_BLOBS_REGION: string;
}

/** @param dataFile the path of the data file: large values are next to it unless another place was set. @returns nothing if there is no place */
export function blobsConfig(given: GivenBlobs, dataFile: string | undefined): BlobsConfig | undefined {
  const { LONGHAUL_BLOBS: place, LONGHAUL_BLOBS_ENDPOINT: endpoint, LONGHAUL_BLOBS_REGION: region } = given;
  if (place === undefined)
    return dataFile === undefined ? undefined : { kind: 'folder', path: join(dirname(dataFile), FOLDER), isNamed: false };
  const [, name, prefix = ''] = BUCKET.exec(place) ?? [];
  if (name === undefined) return { kind: 'folder', path: resolve(place), isNamed: true };
  return { kind: 'bucket', name, prefix, region, ...(endpoint !== undefined && { endpoint }) };
}
