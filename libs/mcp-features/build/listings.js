/**
 * What is listed to which client. A feature whose needs the client or the caller does not meet is left out.
 *
 * A listing is put together once for each set of capabilities and then kept. Only capabilities that some feature
 * needs distinguish sets, so clients cannot make many of them. What the caller's token allows is looked at each time.
 */
import { missingCapabilities } from '@longhaul/tasks';
export function createListings(features) {
    const needed = [...new Set(features.flatMap(({ needs }) => needs))];
    const guarded = new Map(features.filter(({ scopes }) => scopes.length > 0).map(({ listing, scopes }) => [listing, scopes]));
    const listings = new Map();
    const listingFor = (capabilities) => {
        const key = missingCapabilities(needed, capabilities).join();
        const known = listings.get(key);
        if (known !== undefined)
            return known;
        const listing = features.filter(({ needs }) => missingCapabilities(needs, capabilities).length === 0).map(({ listing }) => listing);
        listings.set(key, listing);
        return listing;
    };
    return (capabilities, holds) => {
        const listing = listingFor(capabilities);
        if (holds === undefined || guarded.size === 0)
            return listing;
        return listing.filter((listed) => holds(guarded.get(listed) ?? []));
    };
}
//# sourceMappingURL=listings.js.map