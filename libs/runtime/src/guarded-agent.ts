/**
 * Limits HTTP to hosts that a third party names: only to hosts whose addresses are all allowed. The addresses are checked after the name
 * has been resolved and before anything is sent, and the connection then uses exactly these addresses: a name that resolves differently a
 * moment later changes nothing. A proxy resolves names by itself, so with a proxy the addresses that the name has here are checked.
 */
import { lookup, type LookupAddress, type LookupAllOptions, type LookupOptions } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { type AddressRange, isCloudAddress, isPublicAddress } from './public-address.js';

export { type Dispatcher, fetch, type Response } from 'undici';
export { type AddressRange, addressRange, isPublicAddress } from './public-address.js';
export { readBody, redirectOf } from './response.js';

/** Name resolution and the rules for connections. */
export interface Network {
  /** Finds the addresses of a host name. */
  readonly lookup: (hostname: string, options: LookupAllOptions, callback: (error: Error | null, found: LookupAddress[]) => void) => void;
  /** Whether a connection may use an address; undefined if all addresses are allowed. */
  readonly isAllowed: ((address: string) => boolean) | undefined;
  /** Why others may not be used. @defaultValue they are not public */
  readonly refusal?: string;
}

/** A host has an address that connections may not use. Its message names the host, and not its addresses. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';

  constructor(
    readonly hostname: string,
    refusal = 'is not at a public address, and private, local or otherwise special ones are not allowed',
  ) {
    super(`${hostname} ${refusal}.`);
  }
}

/**
 * Name resolution of this system.
 *
 * @param allowPrivate whether connections may use private, local and other special addresses too
 * @param privateNetworks further addresses that count as private
 */
export function systemNetwork(allowPrivate: boolean, privateNetworks: readonly AddressRange[] = []): Network {
  return { lookup, isAllowed: allowPrivate ? undefined : (address) => isPublicAddress(address, privateNetworks) };
}

/** Name resolution for hosts that an operator has named: any address but those at which a cloud answers the machine about itself. */
export const namedNetwork: Network = {
  lookup,
  isAllowed: (address) => !isCloudAddress(address),
  refusal: 'is at an address at which a cloud gives keys to its machines, and is not used',
};

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * An agent that checks each connection: forbidden ones fail with {@link AddressNotAllowed}. The caller destroys it.
 *
 * @param connectMs time limit until a connection is open, including name resolution and TLS, milliseconds
 */
export function guardedAgent({ lookup: resolve, isAllowed = () => true, refusal }: Network, connectMs = 10_000): Agent {
  const guardedLookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const [first] = found;
      // A name with public and private addresses is meant to reach a private one.
      if (first === undefined || !found.every(({ address }) => isAllowed(address)))
        return callback(new AddressNotAllowed(hostname, refusal), []);
      return options.all === true ? callback(null, found) : callback(null, first.address, first.family);
    });
  };
  const connect = buildConnector({ lookup: guardedLookup, timeout: connectMs });
  return new Agent({
    connect(options, callback) {
      // A literal address needs no name resolution.
      if (ipaddr.isValid(options.hostname) && !isAllowed(options.hostname))
        callback(new AddressNotAllowed(options.hostname, refusal), null);
      else connect(options, callback);
    },
  });
}

/**
 * An agent that connects through a proxy and trusts it to reach the named host: call {@link requireAllowedHost} first. The caller destroys
 * it.
 *
 * @param url `http:`, `https:` or `socks5:`
 */
export function proxyAgent(url: string, connectMs = 10_000): Dispatcher {
  return new ProxyAgent({ uri: url, proxyTunnel: false, proxyTls: { timeout: connectMs } });
}

/**
 * Checks a host that a proxy connects to. A name that cannot be resolved here passes: the proxy may know it. If all addresses are allowed,
 * nothing is resolved.
 *
 * @throws AddressNotAllowed when one of its addresses is not allowed
 */
export async function requireAllowedHost({ hostname }: URL, { lookup: resolve, isAllowed, refusal }: Network): Promise<void> {
  if (isAllowed === undefined) return;
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(host)
    ? [host]
    : await new Promise<string[]>((done) =>
        resolve(host, { all: true }, (error, found) => done(error === null ? found.map(({ address }) => address) : [])),
      );
  if (!addresses.every(isAllowed)) throw new AddressNotAllowed(host, refusal);
}

/** The deepest cause of an error: a failed fetch itself says only that it failed. */
export function rootCause(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return rootCause(error.cause);
  return error instanceof Error ? error : new Error(String(error));
}
