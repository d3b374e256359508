/**
 * Lists the version of everything that outlasts a process. Each is 1, and no other version is read: a data file, a Redis or a document of
 * another version is refused by name. A change that earlier code could not read, or would misread, needs the next version.
 *
 * Events, views, jobs, records and rows have no version of their own: they have the version of their store or document. The meaning of an
 * event type or a member never changes, and new ones are only added, so that workers of two deployments share a store. A graph that
 * `longhaul memory` exports is a file of the reference server Memory, which owns that format.
 */
export const FORMATS = {
  /** The tables of a data file, and what is in them: `PRAGMA user_version`. */
  dataFile: 1,
  /** The keys of Redis, and what is in them: the key `lh:layout`. */
  redis: 1,
  /** An encrypted value: what it begins with. */
  encryptedValue: 1,
  /** A history that was exported, with its events: its `formatVersion`. */
  exportedHistory: 1,
} as const;
