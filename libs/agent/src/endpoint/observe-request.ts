/** Defines who looks on while an endpoint is asked, such as telemetry. */
import type { JsonObject } from '@longhaul/tasks';
import type { Usage } from '../model/chat-model.js';
import type { Completion } from './completion.js';

/** A request to an endpoint. */
export interface SentRequest {
  /** Up to `/v1`. */
  readonly baseUrl: URL;
  readonly body: JsonObject;
}

/**
 * Surrounds each request to an endpoint, also those that are refused. It calls `send` once, and returns or throws what that does.
 *
 * @param send calls back with what the endpoint has counted, also where its answer cannot be used
 */
export type ObserveRequest = (sent: SentRequest, send: (onUsage: (usage: Usage) => void) => Promise<Completion>) => Promise<Completion>;
