import { z } from 'zod';

/** The schema of features that take no arguments. */
export const NO_ARGUMENTS = z.object({});

export type NoArguments = typeof NO_ARGUMENTS;
