/**
 * Extracts pages in separate processes, because the author of a page determines the cost. All pages of this process share a few slots,
 * owner by owner.
 */
import { ComputationFailed, type ComputationLimits, computeInProcess, FairSlots } from '@longhaul/runtime/computation';
import type { Extraction, HtmlPage } from './extraction.js';
import { PageFault } from './failures.js';

/** The owner of the page. */
export interface Extracting {
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Extracts what is worth reading of a page. */
export type Extract = (page: HtmlPage, extracting: Extracting) => Promise<Extraction>;

const MAX_PROCESSES = 2;
/** A container of 512 MiB has room for two and for us. */
const LIMITS: ComputationLimits = { maxMs: 30_000, maxHeapMib: 96, maxMemoryMib: 192 };

const slots = new FairSlots(MAX_PROCESSES);

/** @throws PageFault when it takes too long, or too much memory, or fails; what the signal was aborted with */
export const extractionInProcess: Extract = async (page, { owner, signal }) => {
  const leave = await slots.enter(owner, signal);
  try {
    return await computeInProcess<Extraction>(new URL('extraction-process.js', import.meta.url), page, LIMITS, signal);
  } catch (error) {
    if (!(error instanceof ComputationFailed)) throw error;
    throw new PageFault(`its simplification ${error.message}; with raw it is returned as it is`, { cause: error });
  } finally {
    leave();
  }
};
