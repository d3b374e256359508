/**
 * Connections to hosts all of whose addresses are allowed. They are judged after the name has been resolved and
 * before anything is sent, and the connection then goes to one of these very addresses: a name that resolves
 * differently a moment later changes nothing.
 */
import type { LookupAddress, LookupAllOptions, LookupOptions } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';

/** What connections are made by. */
export interface Network {
  /** Finds the addresses of a host name. */
  readonly lookup: (hostname: string, options: LookupAllOptions, callback: (error: Error | null, found: LookupAddress[]) => void) => void;
  /** Whether a connection may go to an address. */
  readonly isAllowed: (address: string) => boolean;
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** An agent whose every connection is guarded. The caller destroys it. */
export function guardedAgent({ lookup, isAllowed }: Network): Agent {
  const guardedLookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const [first] = found;
      // A name that leads inside and outside is made to lead inside.
      if (first === undefined || !found.every(({ address }) => isAllowed(address))) return callback(notAllowed(hostname), []);
      return options.all === true ? callback(null, found) : callback(null, first.address, first.family);
    });
  };
  const connect = buildConnector({ lookup: guardedLookup });
  return new Agent({
    connect(options, callback) {
      // An address is not looked up.
      if (ipaddr.isValid(options.hostname) && !isAllowed(options.hostname)) callback(notAllowed(options.hostname), null);
      else connect(options, callback);
    },
  });
}

/** The name only: what it resolves to within a private network is nobody's business. */
function notAllowed(hostname: string): Error {
  return new Error(`${hostname} is not at a public address, and private, local or otherwise special ones are not allowed.`);
}
