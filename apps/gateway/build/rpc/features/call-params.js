import { z } from 'zod';
import { IDEMPOTENCY_KEY } from '../param-limits.js';
/** Checked and passed on as it is: arguments are recorded raw, and may be large. */
const RawObject = z.custom((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'expected object');
const CallParams = z.object({
    name: z.string(),
    arguments: RawObject.optional(),
    task: z.object({ ttl: z.number().nonnegative().nullish() }).optional(),
    _meta: z
        .object({
        progressToken: z.union([z.string(), z.int()]).optional(),
        [IDEMPOTENCY_KEY]: z.string().min(1).optional(),
    })
        .optional(),
});
export const callParamsSchema = CallParams;
//# sourceMappingURL=call-params.js.map