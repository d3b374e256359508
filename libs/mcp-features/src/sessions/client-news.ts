/** Notifications of the protocol that are about no request. */
import type { ClientNews, Json } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { FeatureList } from '../authoring/request-context.js';

export function logNews(level: LoggingLevel, data: unknown, logger?: string): ClientNews {
  return { method: 'notifications/message', params: { level, data: (data ?? null) as Json, ...(logger !== undefined && { logger }) } };
}

export function listChangedNews(list: FeatureList): ClientNews {
  return { method: `notifications/${list}/list_changed`, params: {} };
}

export function resourceUpdatedNews(uri: string): ClientNews {
  return { method: 'notifications/resources/updated', params: { uri } };
}
