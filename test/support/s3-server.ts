/** Runs a server of S3 with one bucket in this process. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver, { type Listing } from 's3rver';

/** A server, until it is closed. */
export interface S3Server {
  readonly url: string;
  readonly bucket: string;
  /** The variables of a process that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it keeps the objects. */
  readonly folder: string;
  /** Ends it; what it has stays. */
  stop(): Promise<void>;
  /** Starts it again, under the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-s3-'));
  const bucket = 'large-values';
  const open = async (port: number): Promise<{ readonly port: number; readonly server: S3rver }> => {
    const server = new S3rver({ address: '127.0.0.1', port, silent: true, directory: folder, configureBuckets: [{ name: bucket }] });
    listWhole(server);
    return { port: (await server.run()).port, server };
  };
  let { server, port } = await open(0);
  const url = `http://127.0.0.1:${port}`;
  // The credentials are those of this server.
  const env = {
    LONGHAUL_BLOBS: `s3://${bucket}/tests`,
    LONGHAUL_BLOBS_ENDPOINT: url,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  };
  return {
    url,
    bucket,
    env,
    folder,
    stop: () => server.close(),
    start: async () => void ({ server, port } = await open(port)),
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Gives a listing whole. With a delimiter this server does not see objects in folders of a folder, and it makes pages with a cipher that
 * Node no longer has.
 */
function listWhole({ store }: S3rver): void {
  const all = store.listObjects.bind(store);
  store.listObjects = async (bucket, { prefix = '', delimiter = '' }): Promise<Listing> => {
    const { objects } = await all(bucket, { prefix });
    const below = (key: string): number => (delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length));
    const inFolders = objects.filter(({ key }) => below(key) >= 0).map(({ key }) => key.slice(0, below(key) + 1));
    return { objects: objects.filter(({ key }) => below(key) < 0), commonPrefixes: [...new Set(inFolders)], isTruncated: false };
  };
}
