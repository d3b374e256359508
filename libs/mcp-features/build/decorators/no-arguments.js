import { z } from 'zod';
/** The schema of features that take no arguments. */
export const NO_ARGUMENTS = z.object({});
//# sourceMappingURL=no-arguments.js.map