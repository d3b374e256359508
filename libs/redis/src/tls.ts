/**
 * Reads the files that TLS needs in addition to the system's authorities, named in the query of an address:
 * `rediss://…?ca=/path&cert=/path&key=/path`. The files are PEM, and are read when a connection is made; messages contain no user, no
 * password and no content of files.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

const NAMES = ['ca', 'cert', 'key'] as const;

/** Contents of files, in the form that Node's TLS takes. */
export type TlsMaterial = { readonly [name in (typeof NAMES)[number]]?: string };

/** An address without its files, and the files. */
export interface AddressAndFiles {
  readonly url: string;
  /** Their paths. @defaultValue nothing: the authorities of the system, and no certificate of the client */
  readonly files?: TlsMaterial;
}

/** Splits an address. For a cluster, the parameters of the first node apply to all. */
export function splitTlsFiles(url: string): AddressAndFiles {
  const [, before = '', query = '', after = ''] = /^(rediss?:\/\/[^?]*)\?([^,]*)(.*)$/s.exec(url) ?? [];
  const all = new URLSearchParams(query);
  const named = NAMES.flatMap((name) => (all.has(name) ? [[name, all.get(name) ?? ''] as const] : []));
  if (named.length === 0) return { url };
  for (const name of NAMES) all.delete(name);
  return { url: `${before}${all.size === 0 ? '' : `?${all.toString()}`}${after}`, files: Object.fromEntries(named) };
}

/**
 * Reads the files that an address names.
 *
 * @throws Error with one line that says which of them is wrong
 */
export function readTlsFiles(files: TlsMaterial): TlsMaterial {
  if ((files.cert === undefined) !== (files.key === undefined))
    throw new Error('REDIS_URL names cert or key without the other one: a certificate of the client takes both.');
  const material = Object.fromEntries(Object.entries(files).map(([name, path]) => [name, read(name, path)]));
  try {
    // The next line accepts an authority that is not valid, so it is parsed here.
    if (material['ca'] !== undefined) void new X509Certificate(material['ca']);
    createSecureContext(material);
  } catch (error) {
    throw new Error(
      `REDIS_URL names files that TLS cannot use (${NAMES.filter((name) => name in files).join(', ')}): ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
  return material;
}

/** @throws Error with one line that says what is wrong with the files of an address */
export function requireTlsFiles(url: string): void {
  const { files } = splitTlsFiles(url);
  if (files === undefined) return;
  if (!url.startsWith('rediss:'))
    throw new Error('REDIS_URL names files for TLS at an address without TLS: it has to begin with rediss://.');
  readTlsFiles(files);
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim(); // A byte order mark is removed too, because with it no certificate is found.
  } catch (error) {
    throw new Error(`REDIS_URL names ${name}=${path}, which cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
