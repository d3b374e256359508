/**
 * Manages callers that an operator has revoked. Revocations are records of operators, stored like the records of owners. Gateways read them
 * regularly, which costs one small read, so that no request waits for that.
 */
import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type OwnerCollection } from '@longhaul/tasks';
import { createOwnerStore } from './owner-store.js';
import type { CollectionRef, OwnerRecords } from './ports/owner-records.js';

/** Records of operators are kept under a name that no owner has. */
export const OPERATORS_OWNER = 'longhaul/operators';

const COLLECTION = 'revoked';

/** After this time every gateway that reaches the store refuses the caller, milliseconds: each gateway looks once a second. */
export const REVOKED_WITHIN_MS = 2_500;

/** Callers, by the contents of their tokens: the holder of a static token, or a subject, a tenant or all of an issuer. */
export type RevokedPrincipal =
  | { readonly name: string }
  | {
      readonly issuer: string;
      /** Absent: all of the tenant, or of the issuer. */
      readonly subject?: string | undefined;
      /** Absent: of any tenant, or without a tenant. */
      readonly tenant?: string | undefined;
    };

/** The refusal of some callers. Times are epoch milliseconds. */
export interface Revocation {
  readonly principal: RevokedPrincipal;
  /** When it was recorded: everything that the callers created earlier, or before all gateways know of it, is withheld. */
  readonly at: number;
  /** Tokens that were issued later are accepted. Absent: no token is accepted. */
  readonly issuedBefore?: number | undefined;
  readonly by: string;
  readonly reason: string;
}

/** How many revocations may exist at the same time; more would be a sign that the issuer should end these accounts. */
export const MAX_REVOCATIONS = 10_000;

/** A caller, as far as revocations look at it. */
export interface NamedCaller {
  readonly issuer?: string | undefined;
  readonly tenant?: string | undefined;
  readonly subject: string;
}

/** The revocations of a deployment. Every method rejects with `STORE_UNAVAILABLE` while the store cannot be reached. */
export class Revocations {
  readonly #records: OwnerCollection;

  constructor(records: OwnerRecords) {
    this.#records = createOwnerStore(records).of({ id: OPERATORS_OWNER }).collection(COLLECTION);
  }

  all(): Promise<readonly Revocation[]> {
    return this.#records.read((records) => [...records.values()].flatMap((record) => revocationIn(record)));
  }

  /** Replaces a revocation of the same principal. @returns false when there are too many */
  set(revocation: Revocation): Promise<boolean> {
    const id = keyOf(revocation.principal);
    return this.#records.update((records) => {
      if (!records.has(id) && records.size >= MAX_REVOCATIONS) return { changes: [], result: false };
      return { changes: [{ id, value: JSON.parse(JSON.stringify(revocation)) as Json }], result: true };
    });
  }

  /** @returns false when there was none */
  lift(principal: RevokedPrincipal): Promise<boolean> {
    const id = keyOf(principal);
    return this.#records.update((records) => ({ changes: [{ id }], result: records.has(id) }));
  }
}

/** Whether the records of the collection are revocations. */
export function areRevocations({ owner, name }: CollectionRef): boolean {
  return owner.id === OPERATORS_OWNER && name === COLLECTION;
}

/** Finds the revocations of callers, at a moment. */
export class RevocationIndex {
  readonly #byKey: ReadonlyMap<string, Revocation>;

  constructor(revocations: readonly Revocation[]) {
    this.#byKey = new Map(revocations.map((revocation) => [textOfPrincipal(revocation.principal), revocation]));
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** The revocations that apply to the caller; an empty list for nearly all callers. */
  of({ issuer, tenant, subject }: NamedCaller): readonly Revocation[] {
    if (this.isEmpty) return NONE;
    const principals: readonly RevokedPrincipal[] =
      issuer === undefined ? [{ name: subject }] : [{ issuer, subject, tenant }, { issuer, subject }, { issuer, tenant }, { issuer }];
    const found = [...new Set(principals.map(textOfPrincipal))].flatMap((key) => this.#byKey.get(key) ?? []);
    return found.length === 0 ? NONE : found;
  }
}

const NONE: readonly Revocation[] = [];

/** A hash, because ids of records are short, and names are not. */
function keyOf(principal: RevokedPrincipal): string {
  return createHash('sha256').update(textOfPrincipal(principal)).digest('base64url');
}

/** The same for the same principal, and for no other. */
export function textOfPrincipal(principal: RevokedPrincipal): string {
  const parts = 'name' in principal ? [principal.name] : [principal.issuer, principal.subject ?? null, principal.tenant ?? null];
  return JSON.stringify(parts);
}

function revocationIn(record: Json): readonly Revocation[] {
  return isJsonObject(record) ? [record as unknown as Revocation] : [];
}
