/** The exit codes of the commands for operators. Scripts rely on them. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  /** The request does not fit the current state: the task has ended, another request was faster, or a limit is reached. */
  ended: 5,
  /** The store or the operator API does not answer. */
  unavailable: 6,
  /** Of `wait`. */
  failed: 10,
  cancelled: 11,
} as const;
