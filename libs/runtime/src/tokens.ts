/** Tokens that settings name, and tokens that requests show. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { list } from './environment.js';
import { isPlaceholder } from './placeholder.js';

/** What to do about a secret that is none. */
export const OWN_SECRET = 'make one of your own, such as the output of openssl rand -hex 32';

/** How a setting names tokens. */
export interface TokenListOptions<Holder> {
  /** In words, such as `name:token pairs separated by commas`. */
  readonly form: string;
  /** What may follow the token, up to the end, with one group. @defaultValue nothing */
  readonly suffix?: RegExp;
  /** @param rest what the group of the suffix has matched */
  readonly holderOf: (name: string, rest: string) => Holder;
}

/** A name, its token, and what follows that. */
const ITEM = /^([\w.@-]{1,64}):([\w.~+/=-]{16,512})(?![\w.~+/=-])(.*)$/;
const NOTHING = /^()$/;

/** A setting that names tokens and their holders, `name:token` with more after that if the holder has more; or none. */
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
      return found.size > 0 ? found : refuse(`names nobody: must be ${form}`);
    })
    .optional();
}

/** The token that the header `Authorization` shows; nothing where it shows none, or one in another way. */
export function bearerTokenOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
}

/** A token that `Authorization` shows as one that is bound to a key (RFC 9449). */
export function dpopTokenOf(authorization: string | undefined): string | undefined {
  return /^DPoP +([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
}

/** Finds who holds a token. */
export type FindHolder<Holder> = (token: string) => Holder | undefined;

/** @param tokens who holds them */
export function createFindHolder<Holder>(tokens: ReadonlyMap<string, Holder>): FindHolder<Holder> {
  // Looked up by its hash, so that the time it takes reveals nothing about the tokens.
  const holders = new Map([...tokens].map(([token, holder]) => [hashOf(token), holder]));
  return (token) => holders.get(hashOf(token));
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
