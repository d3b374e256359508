import type { Generation } from '@longhaul/tasks';

/** The revision. */
export const GENERATION = '2026-07-28' satisfies Generation;
