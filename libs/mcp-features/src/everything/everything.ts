import type { Feature } from '../authoring/feature.js';
import { echo } from './tools/echo.js';
import { sampleLlm } from './tools/sample-llm.js';
import { simulateResearchQuery } from './tools/simulate-research-query.js';
import { startElicitation } from './tools/start-elicitation.js';
import { triggerElicitationRequestAsync } from './tools/trigger-elicitation-request-async.js';
import { triggerElicitationRequest } from './tools/trigger-elicitation-request.js';
import { triggerLongRunningOperation } from './tools/trigger-long-running-operation.js';
import { triggerSamplingRequestAsync } from './tools/trigger-sampling-request-async.js';
import { triggerSamplingRequest } from './tools/trigger-sampling-request.js';
import { triggerUrlElicitation } from './tools/trigger-url-elicitation.js';

/** What can be set about the built-in features. */
export interface EverythingOptions {
  /** Milliseconds that each stage of `simulate-research-query` takes. Default 1,000. */
  readonly researchStageMs?: number;
}

/** The built-in features, after the reference server's. */
export function everything({ researchStageMs = 1_000 }: EverythingOptions = {}): readonly Feature[] {
  return [
    echo,
    triggerLongRunningOperation,
    simulateResearchQuery(researchStageMs),
    triggerElicitationRequest,
    triggerUrlElicitation,
    triggerSamplingRequest,
    triggerSamplingRequestAsync,
    triggerElicitationRequestAsync,
    sampleLlm,
    startElicitation,
  ];
}
