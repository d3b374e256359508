/**
 * What is listed to which client. A feature whose needs the client does not meet is left out.
 *
 * A listing is put together once for each set of capabilities and then kept. Only capabilities that some feature
 * needs distinguish sets, so clients cannot make many of them.
 */
import { type JsonObject, missingCapabilities } from '@longhaul/tasks';
import type { StatedNeeds } from './needs.js';

/** What a client with these capabilities is shown, in the order in which it was defined. */
export type Listings<Listed> = (capabilities: JsonObject) => readonly Listed[];

export function createListings<Listed>(features: readonly (StatedNeeds & { readonly listing: Listed })[]): Listings<Listed> {
  const needed = [...new Set(features.flatMap(({ needs }) => needs))];
  const listings = new Map<string, readonly Listed[]>();
  return (capabilities) => {
    const key = missingCapabilities(needed, capabilities).join();
    const known = listings.get(key);
    if (known !== undefined) return known;
    const listing = features.filter(({ needs }) => missingCapabilities(needs, capabilities).length === 0).map(({ listing }) => listing);
    listings.set(key, listing);
    return listing;
  };
}
