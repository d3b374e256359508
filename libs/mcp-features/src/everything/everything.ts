import type { Tool } from '../authoring/tool.js';
import { echo } from './tools/echo.js';
import { simulateResearchQuery } from './tools/simulate-research-query.js';
import { triggerLongRunningOperation } from './tools/trigger-long-running-operation.js';

/** What can be set about the built-in features. */
export interface EverythingOptions {
  /** Milliseconds that each stage of `simulate-research-query` takes. Default 1,000. */
  readonly researchStageMs?: number;
}

/** The built-in features, after the reference server's. */
export function everything({ researchStageMs = 1_000 }: EverythingOptions = {}): readonly Tool[] {
  return [echo, simulateResearchQuery(researchStageMs), triggerLongRunningOperation];
}
