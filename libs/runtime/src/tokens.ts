/** Tokens in settings, and tokens in requests. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isPlaceholder } from './placeholder.js';
import { list } from './settings.js';

/** The advice for a placeholder that stands where a secret is needed. */
export const OWN_SECRET = 'make one of your own, such as the output of openssl rand -hex 32';

/** How a setting lists tokens. */
export interface TokenListOptions<Holder> {
  /** A description, such as `name:token pairs separated by commas`. */
  readonly form: string;
  /** The text after the token, up to the end, with one group. @defaultValue nothing */
  readonly suffix?: RegExp;
  /** @param rest the text that the suffix's group has matched */
  readonly holderOf: (name: string, rest: string) => Holder;
}

/** A name, its token, and the rest. */
const ITEM = /^([\w.@-]{1,64}):([\w.~+/=-]{16,512})(?![\w.~+/=-])(.*)$/;
const NOTHING = /^()$/;

/** A setting that lists tokens and their holders, `name:token` with more text after that if the holder has more; or none. */
export function tokenList<Holder>({ form, suffix = NOTHING, holderOf }: TokenListOptions<Holder>) {
  return list
    .removeDefault()
    .transform((items, context) => {
      const refuse = (message: string): never => {
        context.addIssue(message);
        return z.NEVER;
      };
      const found = new Map<string, Holder>();
      for (const item of items) {
        const [, name, token, after = ''] = ITEM.exec(item) ?? [];
        const [, rest] = suffix.exec(after) ?? [];
        if (name === undefined || token === undefined || rest === undefined || found.has(token))
          return refuse(`must be ${form}, each token of 16 to 512 characters and only once`);
        if (isPlaceholder(token)) return refuse(`has a placeholder as the token of ${name}: ${OWN_SECRET}`);
        found.set(token, holderOf(name, rest));
      }
      return found.size > 0 ? found : refuse(`has no entry: must be ${form}`);
    })
    .optional();
}

/** The bearer token in the header `Authorization`; nothing if the header has no token or another scheme. */
export function bearerTokenOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
}

/** A token in `Authorization` that is bound to a key (RFC 9449). */
export function dpopTokenOf(authorization: string | undefined): string | undefined {
  return /^DPoP +([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
}

/** Finds who holds a token. */
export type FindHolder<Holder> = (token: string) => Holder | undefined;

/** @param tokens the holder of each token */
export function createFindHolder<Holder>(tokens: ReadonlyMap<string, Holder>): FindHolder<Holder> {
  // Tokens are looked up by their hash, so that the time it takes reveals nothing about the tokens.
  const holders = new Map([...tokens].map(([token, holder]) => [hashOf(token), holder]));
  return (token) => holders.get(hashOf(token));
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
