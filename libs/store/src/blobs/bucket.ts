/**
 * Keeps large values in a bucket of a server that speaks the protocol of S3, by the client of Amazon, which is installed only where it is
 * used. A request is tried three times before its error says that the server is away; then tasks wait and try again. The credentials are
 * found as that client finds them: variables, a profile, the role of the machine.
 */
import type * as client from '@aws-sdk/client-s3';
import { type BucketConfig, ConfigError } from '@longhaul/runtime/environment';
import { type BlobStore, TaskError } from '@longhaul/tasks';

type Sdk = typeof client;

const PACKAGE = '@aws-sdk/client-s3';
/** An object that shows that objects can be written. */
const PROBE = 'writable';
/** Objects that are removed at once. */
const AT_ONCE = 8;
const CONNECT_MS = 5_000;
/** One part of a value is a few MiB. */
const REQUEST_MS = 60_000;

/** Errors by which a server refuses the settings: trying again does not help. */
const REFUSED: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'it does not know the access key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  SignatureDoesNotMatch: 'the secret does not belong to the access key: set AWS_SECRET_ACCESS_KEY',
  AccessDenied: 'the credentials must allow to list, read, write and delete objects',
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ExpiredToken: 'the credentials have expired',
  NoSuchBucket: 'there is no such bucket: create it, or set LONGHAUL_BLOBS to another one',
  PermanentRedirect: 'the bucket is in another region: set LONGHAUL_BLOBS_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set LONGHAUL_BLOBS_REGION',
};

/** Errors of servers without room. */
const FULL: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull']);

/**
 * Opens a bucket. A server that does not answer now may answer later.
 *
 * @param load loads the client
 * @throws ConfigError when the client is not installed, or the server refuses the settings
 */
export async function openBucket(
  config: BucketConfig,
  load: () => Promise<Sdk> = () => import(PACKAGE) as Promise<Sdk>,
): Promise<BlobStore> {
  const blobs = new BucketBlobs(await loaded(config, load), config);
  try {
    await blobs.put(PROBE, Buffer.from(''));
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    const { cause, message } = error;
    if (nameOf(cause) in REFUSED) throw new ConfigError(`LONGHAUL_BLOBS=${urlOf(config)}: ${message}`);
  }
  return blobs;
}

async function loaded(config: BucketConfig, load: () => Promise<Sdk>): Promise<Sdk> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError(
      `LONGHAUL_BLOBS=${urlOf(config)} needs the package ${PACKAGE}: run npm install ${PACKAGE}, or add it to your image as docs/large-values.md says`,
    );
  }
}

/** Blobs as objects. */
class BucketBlobs implements BlobStore {
  readonly place: string;
  readonly #client: client.S3Client;
  readonly #bucket: string;

  constructor(
    private readonly sdk: Sdk,
    private readonly config: BucketConfig,
  ) {
    const { endpoint, name, region } = config;
    this.place = endpoint === undefined ? urlOf(config) : `${urlOf(config)} at ${endpoint}`;
    this.#bucket = name;
    this.#client = new sdk.S3Client({
      region,
      // Other servers than Amazon's may have one name for all buckets, and know no checksums that they do not ask for.
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS },
    });
  }

  async put(path: string, bytes: Uint8Array): Promise<void> {
    const object = { ...this.#named(path), Body: bytes, ContentLength: bytes.byteLength };
    await this.#whileUsable(() => this.#client.send(new this.sdk.PutObjectCommand(object)));
  }

  get(path: string): Promise<Uint8Array | undefined> {
    return this.#whileUsable(async () => {
      try {
        const { Body } = await this.#client.send(new this.sdk.GetObjectCommand(this.#named(path)));
        return await Body?.transformToByteArray();
      } catch (error) {
        if (nameOf(error) === 'NoSuchKey') return undefined;
        throw error;
      }
    });
  }

  async *names(path: string): AsyncGenerator<string> {
    const prefix = this.#named(path === '' ? '' : `${path}/`).Key;
    for await (const { CommonPrefixes = [], Contents = [] } of this.#pages(prefix, '/')) {
      for (const { Prefix = '' } of CommonPrefixes) yield Prefix.slice(prefix.length, -1);
      for (const { Key = '' } of Contents) yield Key.slice(prefix.length);
    }
  }

  async remove(path: string): Promise<void> {
    for await (const { Contents = [] } of this.#pages(this.#named(`${path}/`).Key)) {
      const objects = Contents.values();
      const lane = async (): Promise<void> => {
        for (const { Key } of objects)
          await this.#whileUsable(() => this.#client.send(new this.sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key })));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
    }
  }

  async *#pages(prefix: string, delimiter?: string): AsyncGenerator<client.ListObjectsV2CommandOutput> {
    for (let after: string | undefined; ;) {
      const asked = { Bucket: this.#bucket, Prefix: prefix, Delimiter: delimiter, ContinuationToken: after };
      const page = await this.#whileUsable(() => this.#client.send(new this.sdk.ListObjectsV2Command(asked)));
      yield page;
      after = page.NextContinuationToken;
      if (page.IsTruncated !== true || after === undefined) return;
    }
  }

  #named(path: string): { readonly Bucket: string; readonly Key: string } {
    const { prefix } = this.config;
    return { Bucket: this.#bucket, Key: prefix === '' ? path : `${prefix}/${path}` };
  }

  async #whileUsable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const name = nameOf(cause);
      if (FULL.has(name))
        throw new TaskError('VALUES_FULL', `There is no room for large values in ${this.place}: ${name}.`, undefined, { cause });
      const refusal = REFUSED[name];
      const reason = refusal ?? (cause instanceof Error && cause.message !== '' ? cause.message : name);
      const verb = refusal === undefined ? 'cannot be used' : 'is refused';
      throw new TaskError('VALUES_UNAVAILABLE', `The bucket of large values ${this.place} ${verb}: ${reason}`, undefined, { cause });
    }
  }
}

/** Names the error: a server names its own, and an error of the network has a code. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' ? ((error as NodeJS.ErrnoException).code ?? error.name) : error.name;
}

/** Without anything secret. */
function urlOf({ name, prefix }: BucketConfig): string {
  return `s3://${name}${prefix === '' ? '' : `/${prefix}`}`;
}
