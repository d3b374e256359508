import { optionalWholeNumber, optionalYesOrNo, parseVariables, sharedConfig, sharedVariables, wholeNumber, } from '@longhaul/runtime/environment';
import { DEFAULT_KEEP_CONTINUED_MS, DEFAULT_MAX_HISTORY_BYTES, DEFAULT_NO_WORKER_MS, DEFAULT_OWNER_LIMITS, MAX_OWNER_BYTES, } from '@longhaul/tasks/limits';
import { z } from 'zod';
const KIB = 1024;
const MIB = 1024 * KIB;
/** The worker's environment variables: the one place that names them, their defaults and limits. */
const environment = z.object({
    ...sharedVariables,
    LONGHAUL_WORKER_CONCURRENCY: wholeNumber(1, 1_000, 50),
    LONGHAUL_STEP_TIMEOUT_MS: wholeNumber(100, 604_800_000, 3_600_000),
    LONGHAUL_HEALTH_PORT: optionalWholeNumber(1, 65_535),
    LONGHAUL_VERSION: z
        .string()
        .regex(/^[\w.+-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes, pluses or underscores')
        .optional(),
    LONGHAUL_MAX_HISTORY_BYTES: wholeNumber(64 * KIB, 1024 * MIB, DEFAULT_MAX_HISTORY_BYTES),
    LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER: wholeNumber(MAX_OWNER_BYTES.least, MAX_OWNER_BYTES.most, DEFAULT_OWNER_LIMITS.historyBytes),
    LONGHAUL_KEEP_CONTINUED_MS: wholeNumber(0, 604_800_000, DEFAULT_KEEP_CONTINUED_MS),
    LONGHAUL_NO_WORKER_MS: wholeNumber(1_000, 86_400_000, DEFAULT_NO_WORKER_MS),
    LONGHAUL_MAX_BLOCK_MS: wholeNumber(500, 3_600_000, 15_000),
    LONGHAUL_WORKFLOW_WARNINGS: optionalYesOrNo,
    NODE_ENV: z.string().optional(),
    LONGHAUL_ISOLATED_PROCESSES: wholeNumber(1, 64, 2),
    LONGHAUL_ISOLATED_MEMORY_BYTES: optionalWholeNumber(128 * MIB, 1024 * 1024 * MIB),
});
/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readConfig(env) {
    const data = parseVariables(environment, env);
    const { LONGHAUL_HEALTH_PORT: healthPort, LONGHAUL_VERSION: version, LONGHAUL_ISOLATED_MEMORY_BYTES: isolatedMemoryBytes } = data;
    return {
        ...sharedConfig(data),
        concurrency: data.LONGHAUL_WORKER_CONCURRENCY,
        noWorkerMs: data.LONGHAUL_NO_WORKER_MS,
        stepTimeoutMs: data.LONGHAUL_STEP_TIMEOUT_MS,
        maxHistoryBytes: data.LONGHAUL_MAX_HISTORY_BYTES,
        maxOwnerBytes: data.LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER,
        keepContinuedMs: data.LONGHAUL_KEEP_CONTINUED_MS,
        workflowWarnings: data.LONGHAUL_WORKFLOW_WARNINGS ?? data.NODE_ENV !== 'production',
        maxBlockMs: data.LONGHAUL_MAX_BLOCK_MS,
        isolatedProcesses: data.LONGHAUL_ISOLATED_PROCESSES,
        ...(healthPort !== undefined && { healthPort }),
        ...(version !== undefined && { version }),
        ...(isolatedMemoryBytes !== undefined && { isolatedMemoryBytes }),
    };
}
//# sourceMappingURL=config.js.map