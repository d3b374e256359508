import { ComputationFailed, type ComputationLimits, computeInProcess, FairSlots } from '@longhaul/runtime/computation';
import type { SchemaAnswer, SchemaQuestion } from './output-schema.js';

/** Most parallel checks of this process. One owner never has all of them. */
const MAX_PROCESSES = 2;
const LIMITS: ComputationLimits = { maxMs: 10_000, maxHeapMib: 64, maxMemoryMib: 160 };

const slots = new FairSlots(MAX_PROCESSES);

/**
 * Answers in its own process, which can be killed. A check that takes too much is refused: the value does not count as fitting.
 *
 * @param owner the owner that the check counts for
 * @throws the reason of the signal
 */
export async function checkInProcess(question: SchemaQuestion, owner: string, signal: AbortSignal): Promise<SchemaAnswer> {
  const leave = await slots.enter(owner, signal);
  try {
    return await computeInProcess<SchemaAnswer>(new URL('schema-check-process.js', import.meta.url), question, LIMITS, signal);
  } catch (error) {
    if (!(error instanceof ComputationFailed)) throw error;
    const why = `its check ${error.message}`;
    return question.value === undefined ? { unusable: why } : { problem: why };
  } finally {
    leave();
  }
}
