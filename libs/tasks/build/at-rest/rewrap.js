import { TaskError } from '../errors.js';
import { unwrapped, wrap } from './data-keys.js';
const SHOWN_SCOPES = 5;
/** The keys of the ring, the one that writes first, then those that are missing. @throws TaskError `STORE_UNAVAILABLE` */
export async function keyUsages(store, ring) {
    const used = new Map(ring.keys.map(({ id }) => [id, []]));
    const counts = new Map();
    for await (const records of store.all())
        for (const record of records) {
            const { ringKeyId } = record;
            counts.set(ringKeyId, (counts.get(ringKeyId) ?? 0) + 1);
            const shown = used.get(ringKeyId) ?? [];
            if (shown.length < SHOWN_SCOPES)
                used.set(ringKeyId, [...shown, record]);
        }
    return Array.from(used, ([id, records]) => {
        const key = ring.key(id);
        const standing = key === undefined ? 'missing' : id === ring.current.id ? 'writes' : 'reads';
        const name = key?.name ?? records[0]?.ringKeyName ?? id;
        return { id, name, standing, dataKeys: counts.get(id) ?? 0, scopes: records.map(({ scope }) => scope) };
    });
}
/** Wraps each data key with the key that writes. May be repeated, and done by several at once. @throws TaskError `STORE_UNAVAILABLE` */
export async function rewrap(store, ring) {
    let [rewrapped, unchanged] = [0, 0];
    const failed = [];
    for await (const records of store.all())
        for (const record of records) {
            if (record.ringKeyId === ring.current.id) {
                unchanged += 1;
                continue;
            }
            try {
                const key = unwrapped(record, ring);
                await store.replace(record, wrap({ ...key, createdAt: record.createdAt }, ring.current));
                rewrapped += 1;
            }
            catch (error) {
                if (!(error instanceof TaskError) || error.code === 'STORE_UNAVAILABLE')
                    throw error;
                failed.push({ scope: record.scope, reason: error.message });
            }
        }
    return { rewrapped, unchanged, failed };
}
//# sourceMappingURL=rewrap.js.map