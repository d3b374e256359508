import { AS_IT_IS, openByDesign, type PayloadCodec, type Place, PLAIN } from '@longhaul/tasks';
import type { CollectionRef, OwnerRecords } from '../ports/owner-records.js';
import { areRevocations } from '../revocations.js';

/**
 * Passes the values of records through the codec; ids and names of collections stay plain. Limits of bytes count the kept form.
 *
 * Revocations stay plain, as the audit log does, so that a lost key neither ends a revocation nor prevents a new one.
 */
export function sealedRecords(records: OwnerRecords, codec: PayloadCodec): OwnerRecords {
  if (codec === PLAIN) return records;
  return {
    async changesSince(of, since) {
      const open = (text: string, place: Place): string | Promise<string> =>
        areRevocations(of) ? openByDesign(codec, text, place) : codec.open(text, place);
      const page = await records.changesSince(of, since);
      const opened = page.records.map(async ({ id, live }) =>
        live === undefined ? { id } : { id, live: { ...live, json: await open(live.json, placeOf(of, id)) } },
      );
      return { ...page, records: await Promise.all(opened) };
    },
    async apply(of, changes) {
      const seal = areRevocations(of) ? AS_IT_IS : await codec.sealFor(of.owner.id);
      const sealed = changes.changes.map(({ id, json }) => (json === undefined ? { id } : { id, json: seal(json, placeOf(of, id)) }));
      return records.apply(of, { ...changes, changes: sealed });
    },
    keep: (ownerId, ms) => records.keep(ownerId, ms),
    clear: (ownerId) => records.clear(ownerId),
  };
}

function placeOf({ owner, name }: CollectionRef, id: string): Place {
  return { kind: 'records', id: owner.id, field: `${name} ${JSON.stringify([name, id])}` };
}
