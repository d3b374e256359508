import type { Json, TaskView } from '@longhaul/tasks';

/** The name of the value that a task shows, in the metadata of `tasks/get` of both protocol versions. */
const EXPOSED = 'longhaul/exposed';

/** The metadata with the value that a task shows; nothing for a task that shows none. */
export function exposedMeta({ exposed }: TaskView): { readonly _meta?: { readonly [EXPOSED]: Json } } {
  return exposed === undefined ? {} : { _meta: { [EXPOSED]: exposed.value } };
}
