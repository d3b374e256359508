/**
 * Decides which features a client's lists show. A feature is left out if the client or the caller does not meet its needs.
 *
 * A listing is put together once for each set of capabilities and then kept. Only capabilities that some feature needs distinguish sets, so
 * clients cannot make many of them. The permissions of the caller's token are checked each time.
 */
import { type JsonObject, missingCapabilities } from '@longhaul/tasks';
import type { StatedNeeds } from './needs.js';

/** Whether the caller has all of the scopes. */
export type HoldsScopes = (scopes: readonly string[]) => boolean;

/**
 * The features that a client with these capabilities sees, in the order of their definitions. @param holds by default, the caller may do
 * everything
 */
export type Listings<Listed> = (capabilities: JsonObject, holds?: HoldsScopes) => readonly Listed[];

export function createListings<Listed>(features: readonly (StatedNeeds & { readonly listing: Listed })[]): Listings<Listed> {
  const needed = [...new Set(features.flatMap(({ needs }) => needs))];
  const guarded = new Map(features.filter(({ scopes }) => scopes.length > 0).map(({ listing, scopes }) => [listing, scopes]));
  const listings = new Map<string, readonly Listed[]>();
  const listingFor = (capabilities: JsonObject): readonly Listed[] => {
    const key = missingCapabilities(needed, capabilities).join();
    const known = listings.get(key);
    if (known !== undefined) return known;
    const listing = features.filter(({ needs }) => missingCapabilities(needs, capabilities).length === 0).map(({ listing }) => listing);
    listings.set(key, listing);
    return listing;
  };
  return (capabilities, holds) => {
    const listing = listingFor(capabilities);
    if (holds === undefined || guarded.size === 0) return listing;
    return listing.filter((listed) => holds(guarded.get(listed) ?? []));
  };
}
