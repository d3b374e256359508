/** Notifications of the protocol that are about no request. */
import { checkKey, type ClientNews, FIELD_LIMITS, logParams } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { FeatureList } from '../request-context.js';

/** @throws TaskError `NOT_SERIALIZABLE`, `INVALID_KEY` for data, or the name of a logger, that is too large or cannot be sent */
export function logNews(level: LoggingLevel, data: unknown, logger?: string): ClientNews {
  return { method: 'notifications/message', params: logParams(level, data, logger) };
}

export function listChangedNews(list: FeatureList): ClientNews {
  return { method: `notifications/${list}/list_changed`, params: {} };
}

/** @throws TaskError `INVALID_KEY` when the URI is too long */
export function resourceUpdatedNews(uri: string): ClientNews {
  checkKey('The URI of a resource', uri, FIELD_LIMITS.uriBytes);
  return { method: 'notifications/resources/updated', params: { uri } };
}
