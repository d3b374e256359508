declare const brand: unique symbol;

/** The id of one task and of its event stream: an unguessable UUID v4. */
export type TaskId = string & { readonly [brand]: 'TaskId' };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Narrows untrusted text to a `TaskId`. Keys in Redis are built from it, so nothing but a UUID passes. */
export function isTaskId(text: string): text is TaskId {
  return UUID.test(text);
}
