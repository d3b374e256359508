/**
 * Names for the model. Endpoints take at most 64 of `A-Za-z0-9_-`, MCP allows others, and two servers may have the same name.
 * A name that is fit and unique stays. Any other one gets its server in front, and a hash at its end where something of it had to be
 * left out or where that is taken as well. The order of servers and tools does not matter.
 */
import { createHash } from 'node:crypto';
const MAX_LENGTH = 64;
const FIT = /^[A-Za-z0-9_-]{1,64}$/;
const HASH_LENGTH = 8;
/** Names the tools of all servers for the model; what a server lists twice counts once. */
export function nameTools(servers) {
    const listings = servers.flatMap(({ server, tools }) => firstOfEachName(tools).map((listed) => ({ server, listed })));
    const plain = countsOf(listings.map(({ listed }) => listed.name));
    const isPlain = (name) => FIT.test(name) && plain.get(name) === 1;
    const others = listings.filter(({ listed }) => !isPlain(listed.name));
    const prefixed = countsOf(others.map(({ server, listed }) => `${server}_${listed.name}`));
    const taken = new Set(listings.map(({ listed }) => listed.name));
    return listings.map(({ server, listed }) => {
        if (isPlain(listed.name))
            return { name: listed.name, server, listed };
        const name = `${server}_${listed.name}`;
        const isFree = FIT.test(name) && prefixed.get(name) === 1 && !taken.has(name);
        return {
            name: isFree ? name : hashed(server, listed.name, (candidate) => taken.has(candidate) || prefixed.has(candidate)),
            server,
            listed,
        };
    });
}
function firstOfEachName(tools) {
    return [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}
function countsOf(names) {
    const counts = new Map();
    for (const name of names)
        counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
}
/** A server may list on purpose what another one's tool would be called. */
function hashed(server, tool, isTaken) {
    const start = `${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1);
    for (let round = 0;; round += 1) {
        const hash = createHash('sha256')
            .update(JSON.stringify([server, tool, round]))
            .digest('hex')
            .slice(0, HASH_LENGTH);
        const name = `${start}_${hash}`;
        if (!isTaken(name))
            return name;
    }
}
//# sourceMappingURL=tool-names.js.map