import type { Feature } from '@longhaul/mcp-features';
import type { Clock } from '@longhaul/tasks';
import { DEFAULT_DOWNLOAD_LIMITS, type DownloadLimits } from './download/download-limits.js';
import { argsPrompt } from './prompts/args-prompt.js';
import { completablePrompt } from './prompts/completable-prompt.js';
import { resourcePrompt } from './prompts/resource-prompt.js';
import { simplePrompt } from './prompts/simple-prompt.js';
import { dynamicResourceTemplates } from './resources/dynamic-resource-templates.js';
import { sessionFiles } from './resources/session-files.js';
import { staticDocuments } from './resources/static-documents.js';
import { simulatedLogging } from './session-jobs/simulated-logging.js';
import { simulatedResourceUpdates } from './session-jobs/simulated-resource-updates.js';
import { echo } from './tools/echo.js';
import { getAnnotatedMessage } from './tools/get-annotated-message.js';
import { getDate } from './tools/get-date.js';
import { getEnv } from './tools/get-env.js';
import { getResourceLinks } from './tools/get-resource-links.js';
import { getResourceReference } from './tools/get-resource-reference.js';
import { getRootsList } from './tools/get-roots-list.js';
import { getStructuredContent } from './tools/get-structured-content.js';
import { getSum } from './tools/get-sum.js';
import { getTinyImage } from './tools/get-tiny-image.js';
import { gzipFileAsResource } from './tools/gzip-file-as-resource.js';
import { sampleLlm } from './tools/sample-llm.js';
import { simulateResearchQuery } from './tools/simulate-research-query.js';
import { startElicitation } from './tools/start-elicitation.js';
import { toggleSimulatedLogging } from './tools/toggle-simulated-logging.js';
import { toggleSubscriberUpdates } from './tools/toggle-subscriber-updates.js';
import { triggerElicitationRequestAsync } from './tools/trigger-elicitation-request-async.js';
import { triggerElicitationRequest } from './tools/trigger-elicitation-request.js';
import { triggerLongRunningOperation } from './tools/trigger-long-running-operation.js';
import { triggerSamplingRequestAsync } from './tools/trigger-sampling-request-async.js';
import { triggerSamplingRequest } from './tools/trigger-sampling-request.js';
import { triggerUrlElicitation } from './tools/trigger-url-elicitation.js';

/** The settings of the built-in features. */
export interface EverythingOptions {
  /** Milliseconds that each stage of `simulate-research-query` takes. Default 1,000. */
  readonly researchStageMs?: number;
  /** Whether there is the tool `get-env`, which shows the environment variables of the gateway. Default: false. */
  readonly exposeEnv?: boolean;
  /** The downloads that `gzip-file-as-resource` may make. Default: files of 10 MiB from public addresses, within 30 seconds. */
  readonly gzip?: Partial<DownloadLimits>;
  /** Where the features read the time. Default: the system's clock. */
  readonly clock?: Clock;
  /** Milliseconds between two simulated log messages, and between two simulated updates of resources; at least 100. Default 5,000. */
  readonly simulatedUpdatesMs?: number;
}

/** The built-in features, after the reference server's: its tools in its order, then those that it does not have. */
export function everything(options: EverythingOptions = {}): readonly Feature[] {
  const { researchStageMs = 1_000, simulatedUpdatesMs = 5_000, exposeEnv = false, gzip, clock = Date.now } = options;
  return [
    echo,
    getAnnotatedMessage,
    ...(exposeEnv ? [getEnv(process.env)] : []),
    getResourceLinks,
    getResourceReference(clock),
    getStructuredContent,
    getSum,
    getTinyImage,
    gzipFileAsResource({ limits: { ...DEFAULT_DOWNLOAD_LIMITS, ...gzip } }),
    toggleSimulatedLogging(simulatedUpdatesMs),
    toggleSubscriberUpdates(simulatedUpdatesMs),
    triggerLongRunningOperation,
    getRootsList,
    triggerElicitationRequest,
    triggerUrlElicitation,
    triggerSamplingRequest,
    simulateResearchQuery(researchStageMs),
    triggerSamplingRequestAsync,
    triggerElicitationRequestAsync,
    sampleLlm,
    startElicitation,
    getDate(clock),
    simplePrompt,
    argsPrompt,
    completablePrompt,
    resourcePrompt(clock),
    ...dynamicResourceTemplates(clock),
    sessionFiles,
    ...staticDocuments(),
    simulatedLogging(simulatedUpdatesMs),
    simulatedResourceUpdates(simulatedUpdatesMs),
  ];
}
