import { type BlobsConfig, ConfigError } from '@longhaul/runtime/environment';
import type { BlobStore } from '@longhaul/tasks';
import { FolderBlobs } from './folder.js';

/**
 * Opens the place of large values. If somebody has named it, this looks whether it can be used; otherwise the first value makes the folder.
 * The code for a bucket is loaded only if one is named.
 *
 * @throws ConfigError with one line that says what to do: the folder cannot be written, the server of the bucket refuses
 */
export async function openBlobs(config: BlobsConfig): Promise<BlobStore> {
  if (config.kind === 'bucket') return (await import('./bucket.js')).openBucket(config);
  const blobs = new FolderBlobs(config.path);
  if (config.isNamed) await tryOut(blobs);
  return blobs;
}

/** A file that shows that files can be written. It stays: another process may be at it. */
const PROBE = 'writable';

async function tryOut(blobs: FolderBlobs): Promise<void> {
  try {
    await blobs.put(PROBE, Buffer.from(''));
  } catch (error) {
    throw new ConfigError(`LONGHAUL_BLOBS=${blobs.place}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
