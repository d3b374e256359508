import { ProblemSchema } from '../http/problems.js';

/** What every route may answer beside what it is for. */
export const ERRORS = { '4xx': ProblemSchema, '5xx': ProblemSchema } as const;
