/** Notes of the caller. Gateways and workers load this file through `LONGHAUL_FEATURES`, so it has only types that Node strips. */
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineResource, defineTool, type OwnerContext } from '@longhaul/mcp-features';
import { z } from 'zod';

const URI = 'notes://all';
const NOBODY = 'nobody';

const notesOf = (owner: OwnerContext) => owner.collection('notes');
const list = (owner: OwnerContext): Promise<string[]> => notesOf(owner).read((notes) => [...notes.values()] as string[]);

/** Read by `loadFeatures`. */
export const features = [
  defineTool({
    name: 'add-note',
    description: 'Adds a note in a step, and returns all of them as a later step finds them',
    input: z.object({ note: z.string() }),
    task: 'optional',
    async run({ note }, { owner, step }) {
      if (owner === undefined) return NOBODY;
      await step('add', ({ idempotencyKey }) =>
        notesOf(owner).update(() => ({ changes: [{ id: idempotencyKey, value: note }], result: undefined })),
      );
      const all = await step('list', () => list(owner));
      await step('notify', () => owner.resourceUpdated(URI));
      return all.join();
    },
  }),
  defineTool({
    name: 'count',
    description: 'Counts in a step, then waits there for a file, after it has said so in another one; once for each step if it is asked to',
    input: z.object({ once: z.boolean(), counted: z.string(), goOn: z.string() }),
    task: 'optional',
    async run({ once, counted, goOn }, { owner, step }) {
      if (owner === undefined) return NOBODY;
      const count = await step('count', async ({ idempotencyKey, signal }) => {
        const now = await owner.collection('counts').update((records) => {
          const { value = 0, by } = (records.get('count') ?? {}) as { readonly value?: number; readonly by?: string };
          if (once && by === idempotencyKey) return { changes: [], result: value };
          return { changes: [{ id: 'count', value: { value: value + 1, by: idempotencyKey } }], result: value + 1 };
        });
        writeFileSync(counted, '');
        while (!existsSync(goOn)) await wait(20, undefined, { signal });
        return now;
      });
      return String(count);
    },
  }),
  defineTool({
    name: 'notes',
    description: 'All notes, within the request',
    input: z.object({}),
    run: async (_args, { owner }) => (owner === undefined ? NOBODY : (await list(owner)).join()),
  }),
  defineResource({ uri: URI, name: 'notes', read: (_uri, { owner }) => (owner === undefined ? [] : list(owner)) }),
];
