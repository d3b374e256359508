/** What the commands for operators end with. Scripts rely on them. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  /** The task has ended, or somebody else was faster. */
  ended: 5,
  /** The store or the operator API does not answer. */
  unavailable: 6,
  /** Of `wait`. */
  failed: 10,
  cancelled: 11,
} as const;
