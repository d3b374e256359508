/** Makes notifications of the protocol that belong to no request. */
import { checkKey, FIELD_LIMITS, logParams } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { ClientNotification } from './session-notifications.js';

/** Lists of features that can change. */
export type FeatureList = 'tools' | 'prompts' | 'resources';

/** @throws TaskError `NOT_SERIALIZABLE`, `INVALID_KEY` for data, or the name of a logger, that is too large or cannot be sent */
export function logNotification(level: LoggingLevel, data: unknown, logger?: string): ClientNotification {
  return { method: 'notifications/message', params: logParams(level, data, logger) };
}

export function listChangedNotification(list: FeatureList): ClientNotification {
  return { method: `notifications/${list}/list_changed`, params: {} };
}

/** @throws TaskError `INVALID_KEY` when the URI is too long */
export function resourceUpdatedNotification(uri: string): ClientNotification {
  checkKey('The URI of a resource', uri, FIELD_LIMITS.uriBytes);
  return { method: 'notifications/resources/updated', params: { uri } };
}
