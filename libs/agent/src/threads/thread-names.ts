/** Defines the names of threads. It imports nothing, so that a command line can read it without the rest. */

/** Names of threads, for schemas. */
export const THREAD_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
export const THREAD_NAME_RULE = 'must be 1 to 64 letters, digits, dots, dashes or underscores, and begin with a letter or a digit';
