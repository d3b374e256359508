/** Names the two protocol versions: with sessions and requests of the server, and without both. */
export type Generation = '2025-11-25' | '2026-07-28';

export const GENERATIONS: readonly Generation[] = ['2026-07-28', '2025-11-25'];
