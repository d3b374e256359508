import { fileURLToPath } from 'node:url';

/** Finds the repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));
