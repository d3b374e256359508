import { TaskError, tooLong } from '@longhaul/tasks';
/** The version of a collection that nothing is in. */
export const NO_VERSION = { epoch: '', at: 0 };
export const RECORD_LIMITS = {
    idBytes: 256,
    recordBytes: 4 * 1024 * 1024,
    /** What each record counts beside its id and its JSON: it takes that much, and more, to keep it. */
    overheadBytes: 64,
    /** Records that one update changes. */
    changes: 10_000,
    /** Collections of one owner. Their names are those of features, and no input of clients. */
    collections: 16,
    collectionNameBytes: 64,
    /** What a collection may have unless its feature says something else. */
    collectionBytes: 16 * 1024 * 1024,
    /** How long others wait for an update that has lost several times, milliseconds. */
    turnMs: 500,
    /** Records of a page, and about so many bytes. */
    pageRecords: 250,
    pageBytes: 256 * 1024,
    /** Removals that are remembered, for those who know an older state: who has missed more reads everything. */
    removals: 1_000,
};
/** What a record counts. */
export function bytesOfRecord({ id, json }) {
    return Buffer.byteLength(id) + Buffer.byteLength(json) + RECORD_LIMITS.overheadBytes;
}
/** @throws TaskError `INVALID_KEY`, `NOT_SERIALIZABLE` for an id or a value that is too large */
export function checkRecord(id, json) {
    const { idBytes, recordBytes } = RECORD_LIMITS;
    const [ofId, ofValue] = [tooLong('The id of a record', id, idBytes), tooLong('The JSON of a record', json, recordBytes)];
    if (ofId !== undefined)
        throw new TaskError('INVALID_KEY', `${ofId}.`);
    if (ofValue !== undefined)
        throw new TaskError('NOT_SERIALIZABLE', `${ofValue}.`);
}
/** The owner has as many collections as it may. */
export function tooManyCollections() {
    return new TaskError('OWNER_FULL', `An owner has at most ${RECORD_LIMITS.collections} collections.`);
}
//# sourceMappingURL=owner-records.js.map