/** Makes the params of messages from a feature's code to its client, within the limits of their fields. */
import { type LoggingLevel, LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Json, JsonObject } from '../domain/json.js';
import { shown } from '../domain/shown.js';
import { TaskError } from '../errors.js';
import { checkKey, cutText, FIELD_LIMITS } from '../field-limits.js';
import { requireObject } from '../given.js';
import { notJson } from './recordable.js';
import { toJson } from './recorded-error.js';
import type { ProgressReport } from './task-context.js';

/** @throws TaskError `NOT_SERIALIZABLE` when the data is no JSON or too large, `INVALID_KEY` when the name is too long */
export function logParams(level: LoggingLevel, data: unknown, logger?: string): JsonObject {
  if (!LoggingLevelSchema.options.includes(level))
    throw new TaskError('INVALID_KEY', `log: level must be one of ${LoggingLevelSchema.options.join(', ')}, and is ${shown(level)}.`);
  if (logger !== undefined) checkKey('The name of a logger', logger, FIELD_LIMITS.nameBytes);
  const json = toJson(data, 'The data of a log message', FIELD_LIMITS.logDataBytes) ?? null;
  return { level, data: json, ...(logger !== undefined && { logger }) };
}

/** The value as it will be read back. @throws TaskError `NOT_SERIALIZABLE` when it is no JSON or too large */
export function exposedValue(value: unknown): Json {
  const why = value === undefined ? 'value is undefined' : notJson(value);
  if (why !== undefined) throw new TaskError('NOT_SERIALIZABLE', `The exposed value cannot be recorded: ${why}.`);
  return toJson(value, 'The exposed value', FIELD_LIMITS.exposedBytes) ?? null;
}

/** @throws TaskError `INVALID_KEY` when the id is too long */
export function elicitationCompleteParams(elicitationId: string): JsonObject {
  checkKey('The id of an elicitation', elicitationId, FIELD_LIMITS.idBytes);
  return { elicitationId };
}

/** The report as it is sent: a message that is too long is cut. @throws TaskError `INVALID_KEY` for what is no report */
export function progressParams(report: ProgressReport): ProgressReport {
  requireObject('progress', 'the report', report);
  const { progress, total, message } = report;
  for (const [member, value] of Object.entries({ progress, total: total === undefined ? 0 : total }))
    if (typeof value !== 'number') throw new TaskError('INVALID_KEY', `progress: ${member} must be a number, and is ${shown(value)}.`);
  if (message !== undefined) checkKey('progress: message', message, Infinity);
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message: cutText(message, FIELD_LIMITS.progressMessageBytes) }),
  };
}

/** The params of a request to the client, as they will be read back. @throws TaskError `NOT_SERIALIZABLE` */
export function clientRequestParams(method: string, params: object): JsonObject {
  return toJson(params, `A request ${method}`, FIELD_LIMITS.clientRequestBytes) as JsonObject;
}
