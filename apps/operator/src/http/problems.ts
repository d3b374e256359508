/** Errors in the form of RFC 9457: each says what is wrong, and for a field also its name and its limit. */
import { isJsonObject, ScheduleError, TaskError } from '@longhaul/tasks';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { z } from 'zod';

/** The form of every error. */
export const ProblemSchema = z
  .object({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    /** One readable sentence. */
    detail: z.string(),
    /** A stable code for programs. */
    code: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });

/** The errors that every route may answer with. */
export const ERRORS = { '4xx': ProblemSchema, '5xx': ProblemSchema } as const;

type Problem = z.infer<typeof ProblemSchema>;

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** A request that is refused. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly errors?: Problem['errors'],
    /** When the same request may be tried again. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

const STATUS_OF: Partial<Record<TaskError['code'], number>> = {
  TASK_NOT_FOUND: 404,
  TASK_ENDED: 409,
  INVALID_CURSOR: 400,
  INVALID_KEY: 400,
  TOO_MANY_TASKS: 409,
  TOO_MANY_BYTES: 409,
  TOO_MANY_CREATIONS: 409,
  UNKNOWN_STEP: 422,
  ALREADY_RETRIED: 409,
  ANSWER_DOES_NOT_FIT: 422,
  SIGNAL_DOES_NOT_FIT: 422,
  TOO_MANY_SIGNALS: 409,
  HISTORY_GONE: 409,
  HISTORY_UNREADABLE: 422,
  KEY_MISSING: 422,
  VALUE_NOT_GENUINE: 422,
  VALUE_MISSING: 422,
  OWNER_FULL: 409,
  VALUES_UNAVAILABLE: 503,
  VALUES_FULL: 503,
  STORE_UNAVAILABLE: 503,
  STORE_FULL: 503,
  STORE_CONTENTION: 503,
};

const STATUS_OF_SCHEDULE: Readonly<Record<ScheduleError['code'], number>> = {
  SCHEDULE_NOT_FOUND: 404,
  SCHEDULE_EXISTS: 409,
  SCHEDULE_FROM_FILE: 409,
  INVALID_SCHEDULE: 422,
  TOO_MANY_SCHEDULES: 409,
  TOO_MANY_WAITING: 409,
};

/** The code of an error, also for the audit log. */
export function codeOf(error: unknown): string {
  if (error instanceof Refused || error instanceof TaskError || error instanceof ScheduleError) return error.code;
  return 'INTERNAL_ERROR';
}

/** The fields that the error is about. */
function fieldsOf({ data, message }: TaskError): Problem['errors'] {
  const field = isJsonObject(data) ? data['field'] : undefined;
  return typeof field === 'string' ? [{ field, message }] : undefined;
}

/** What is said of a body that is no JSON. */
export const NOT_JSON = 'The body must be JSON in UTF-8.';

/** The longest part of a path, characters. */
export const MAX_PARAM_LENGTH = 1_024;

/** Fastify's own refusals, which are all about how a request was sent. Its codes and its words may change with its version. */
const REFUSALS: Readonly<Record<string, (bodyLimit: number | undefined) => string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (bodyLimit) => `The body has more than ${bodyLimit} bytes.`,
  FST_ERR_CTP_EMPTY_JSON_BODY: () => NOT_JSON,
  FST_ERR_CTP_INVALID_JSON_BODY: () => NOT_JSON,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => 'The Content-Type must be application/json.',
  FST_ERR_BAD_URL: () => 'The path must be UTF-8, with percent-encoding.',
  FST_ERR_MAX_PARAM_LENGTH: () => `A part of the path has more than ${MAX_PARAM_LENGTH} characters.`,
};

/** The answer for an error. */
function problemOf(error: unknown, bodyLimit: number | undefined): Problem {
  if (error instanceof Refused) return problem(error.status, error.code, error.message, error.errors);
  if (error instanceof TaskError) return problem(STATUS_OF[error.code] ?? 500, error.code, error.message, fieldsOf(error));
  if (error instanceof ScheduleError) {
    const { code, message, field } = error;
    return problem(STATUS_OF_SCHEDULE[code], code, message, field === undefined ? undefined : [{ field, message }]);
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.map(({ instancePath, message = 'is wrong' }) => ({ field: fieldOf(instancePath), message }));
    return problem(400, 'INVALID_REQUEST', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), errors);
  }
  const { statusCode, message, code } = error as Partial<FastifyError>;
  if (statusCode !== undefined && statusCode < 500)
    return problem(statusCode, 'INVALID_REQUEST', REFUSALS[code ?? '']?.(bodyLimit) ?? message ?? 'The request is wrong.');
  return problem(500, 'INTERNAL_ERROR', 'Something went wrong here; the log says what.');
}

/** Answers with the problem. */
function sendProblem(reply: FastifyReply, found: Problem): FastifyReply {
  if (found.status === 401) void reply.header('www-authenticate', 'Bearer');
  if (found.status === 503) void reply.header('retry-after', '1');
  return reply.code(found.status).header('content-type', 'application/problem+json').serializer(JSON.stringify).send(found);
}

/** Logs unexpected errors, and answers. */
export function createErrorHandler(logger: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const found = problemOf(error, request.routeOptions.bodyLimit);
    if (error instanceof Refused && error.retryAfterSeconds !== undefined) void reply.header('retry-after', error.retryAfterSeconds);
    // A refusal has said to the caller all that there is to say.
    if (found.status >= 500 && !(error instanceof Refused))
      logger.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed');
    return sendProblem(reply, found);
  };
}

function problem(status: number, code: string, detail: string, errors?: Problem['errors']): Problem {
  return { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, code, ...(errors !== undefined && { errors }) };
}

function fieldOf(instancePath: string): string {
  return instancePath.slice(1).replaceAll('/', '.') || 'request';
}
