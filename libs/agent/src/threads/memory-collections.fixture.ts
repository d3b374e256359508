import { type OwnerCollections, type Records, TaskError } from '@longhaul/tasks';

/** Provides a collection of an owner in memory, with a limit of bytes if there is one. */
export function memoryCollections(mostBytes?: number): OwnerCollections & { readonly records: ReadonlyMap<string, never> } {
  let records = new Map<string, never>();
  const bytesOf = (all: Records): number => [...all].reduce((sum, [id, value]) => sum + id.length + JSON.stringify(value).length + 64, 0);
  return {
    get records() {
      return records;
    },
    collection: () => ({
      read: async (look) => look(records),
      update: async (decide) => {
        const { changes, result } = decide(records);
        const next = new Map(records);
        for (const { id, value } of changes) {
          if (value === undefined) next.delete(id);
          else next.set(id, JSON.parse(JSON.stringify(value)) as never);
        }
        const isFull = mostBytes !== undefined && bytesOf(next) > mostBytes && bytesOf(next) > bytesOf(records);
        if (isFull) throw new TaskError('OWNER_FULL', 'The collection is full.');
        records = next;
        return result;
      },
    }),
  };
}
