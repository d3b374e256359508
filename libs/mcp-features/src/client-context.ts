/**
 * Defines the operations of a feature towards the client that called it. They are the same in a feature that answers within the request and
 * in a durable tool. A durable tool records each of them.
 */
import {
  askedAgain,
  checkKey,
  type ClientInfo,
  hasCapability,
  mapOperation,
  MAX_ASKED_AGAIN,
  type ProgressReport,
  requireObject,
  type TaskContext,
} from '@longhaul/tasks';
import type {
  CreateMessageRequestParams,
  CreateMessageRequestParamsBase,
  CreateMessageRequestParamsWithTools,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  LoggingLevel,
  Root,
  Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { type FormAnswer, formAnswerOf, formSchemaOf, requireForm } from './form-schema.js';
import { describeIssues } from './tool-result.js';

const DEFAULT_MAX_TOKENS = 1_000;

/** The options of a prompt, in addition to its text. */
export type SampleOptions = Omit<Partial<CreateMessageRequestParamsBase>, 'messages'>;

/** The same, with tools that the model may use. */
export type SampleToolOptions = Omit<Partial<CreateMessageRequestParams>, 'messages'> & { readonly tools: Tool[] };

/** Sends a log message of one level: any JSON of at most 64 KiB, and the name of who logs it. Errors as of `log`. */
export type Log = (data: unknown, logger?: string) => void;

/** Log messages by their level. The client receives messages of at least the level that it has set; the default is `info`. */
export type Logs = Readonly<Record<LoggingLevel, Log>> & {
  /** The same as `warning`. */
  readonly warn: Log;
};

/** The client, to a feature that runs for it. */
export interface ClientContext extends Logs {
  /** The client's description of itself. */
  readonly client: ClientInfo;
  /** Whether the client can ask its user by a form. */
  readonly elicitEnabled: boolean;
  /** Whether the client can have a model generate something. */
  readonly sampleEnabled: boolean;
  /** Whether the client offers roots. */
  readonly rootsEnabled: boolean;

  /**
   * Asks the user by a form with the fields of the schema: texts, numbers, booleans and choices.
   *
   * @param message the question to the user; by default the schema's description
   * @returns the user's action; an accepted answer has been checked against the schema
   * @throws TypeError when the schema has a field that a form cannot have. TaskError `CLIENT_LACKS_CAPABILITY`. TaskError `INPUT_FAILED`
   * when the client answers with an error. ZodError when the answer does not fit the schema. TaskError `NOT_SERIALIZABLE` when the question
   * is not JSON, or more than 4 MiB.
   */
  elicit<Form extends z.ZodObject>(form: Form, message?: string): Promise<FormAnswer<z.output<Form>>>;
  /**
   * Asks the user by a form or by a URL to open, in the words of the protocol. Errors as above: what was accepted is checked
   * against `requestedSchema`, and returned as the client sent it.
   */
  elicit(params: ElicitRequestFormParams | ElicitRequestURLParams): Promise<ElicitResult>;

  /**
   * Asks the client's model to answer a prompt, or a whole request for a message. A model that is offered `tools`, which needs the client's
   * capability `sampling.tools`, may answer with uses of them; `includeContext` other than `none` needs `sampling.context`.
   *
   * @param options `maxTokens` (1,000 unless given), `systemPrompt`, `temperature`, …
   * @throws TaskError `CLIENT_LACKS_CAPABILITY`. `INPUT_FAILED` when the client answers with an error. `NOT_SERIALIZABLE` as for `elicit`.
   */
  sample(prompt: string, options: SampleToolOptions): Promise<CreateMessageResultWithTools>;
  sample(prompt: string, options?: SampleOptions): Promise<CreateMessageResult>;
  sample(params: CreateMessageRequestParamsWithTools): Promise<CreateMessageResultWithTools>;
  sample(params: CreateMessageRequestParamsBase): Promise<CreateMessageResult>;

  /** The roots that the client offers now. @throws TaskError `CLIENT_LACKS_CAPABILITY`, `INPUT_FAILED` */
  roots(): Promise<Root[]>;

  /**
   * Reports progress, to a client that asked for it: a number is percent. A value that is not higher than all earlier ones is dropped. A
   * message is cut to 2 KiB with an ellipsis.
   */
  progress(report: number | ProgressReport): void;

  /**
   * Sends a log message.
   *
   * @throws TaskError `NOT_SERIALIZABLE` when the data is not JSON, or more than 64 KiB, also if the client does not want this level.
   * `INVALID_KEY` when the name of the logger has more than 256 bytes.
   */
  log(level: LoggingLevel, data: unknown, logger?: string): void;

  /**
   * Notifies the client that the action of a URL elicitation has been completed.
   *
   * @throws TaskError `INVALID_KEY` when the id has more than 256 bytes
   */
  elicitationComplete(elicitationId: string): void;
}

/** The operations on which the conveniences are built: a `TaskContext` has them, and so has a request of a gateway. */
export type ClientOperations = Pick<TaskContext, 'client' | 'elicit' | 'sample' | 'listRoots' | 'progress' | 'log' | 'elicitationComplete'>;

/** Extends a context by its conveniences; everything else in the context stays as it is. */
export function withClientContext<Operations extends ClientOperations>(
  operations: Operations,
): Omit<Operations, keyof ClientContext> & ClientContext {
  const { client, log } = operations;
  const logAt =
    (level: LoggingLevel): Log =>
    (data, logger) =>
      log(level, data, logger);
  const conveniences: Omit<ClientContext, 'client' | 'log' | 'elicitationComplete'> = {
    elicitEnabled: hasCapability(client.capabilities, 'elicitation.form'),
    sampleEnabled: hasCapability(client.capabilities, 'sampling'),
    rootsEnabled: hasCapability(client.capabilities, 'roots'),
    elicit: elicitBy(operations),
    sample: sampleBy(operations),
    roots: () => operations.listRoots(),
    progress: (report) => operations.progress(typeof report === 'number' ? { progress: report, total: 100 } : report),
    debug: logAt('debug'),
    info: logAt('info'),
    notice: logAt('notice'),
    warning: logAt('warning'),
    warn: logAt('warning'),
    error: logAt('error'),
    critical: logAt('critical'),
    alert: logAt('alert'),
    emergency: logAt('emergency'),
  };
  const context = Object.assign(new WithSignal(operations), conveniences) as object as Record<string, unknown>;
  for (const name of Object.keys(operations)) if (!(name in context)) context[name] = operations[name as keyof Operations];
  return context as Omit<Operations, keyof ClientContext> & ClientContext;
}

/** The operations are not its prototype: an engine would prepare each object for that again, which takes longer than all the rest. */
class WithSignal {
  readonly #operations: { readonly signal?: unknown };

  constructor(operations: object) {
    this.#operations = operations;
  }

  /** Most features never look at it, and it is made when somebody does. */
  get signal(): unknown {
    return this.#operations.signal;
  }
}

function sampleBy({ sample }: ClientOperations): ClientContext['sample'] {
  return (asked: string | CreateMessageRequestParams, options?: SampleOptions | SampleToolOptions) => {
    try {
      return sample(typeof asked === 'string' ? promptParams(asked, options) : asked);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

function promptParams(text: string, options: SampleOptions | SampleToolOptions = {}): CreateMessageRequestParams {
  requireObject('sample', 'options', options);
  return { maxTokens: DEFAULT_MAX_TOKENS, ...options, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function elicitBy(operations: ClientOperations): ClientContext['elicit'] {
  function elicit<Form extends z.ZodObject>(form: Form, message?: string): Promise<FormAnswer<z.output<Form>>>;
  function elicit(params: ElicitRequestFormParams | ElicitRequestURLParams): Promise<ElicitResult>;
  function elicit(
    asked: z.ZodObject | ElicitRequestFormParams | ElicitRequestURLParams,
    message?: string,
  ): Promise<ElicitResult | FormAnswer<unknown>> {
    try {
      requireObject('elicit', 'the question', asked);
      if ('safeParse' in asked) return elicitForm(operations, asked, message ?? asked.description ?? 'Please fill in this form.');
      requireForm(asked);
      return operations.elicit(asked);
    } catch (error) {
      return Promise.reject(error);
    }
  }
  return elicit;
}

/** Asks again, a few times, when an answer fits the form and not the schema, which may say more, such as a pattern. */
function elicitForm(operations: ClientOperations, schema: z.ZodObject, message: string): Promise<FormAnswer<unknown>> {
  checkKey('elicit: message', message, Infinity);
  const params = { mode: 'form' as const, message, requestedSchema: formSchemaOf(schema) };
  const fitting = async (answer: ElicitResult, refused: number): Promise<FormAnswer<unknown>> => {
    const read = formAnswerOf(schema, answer);
    if (!(read instanceof Error)) return read;
    if (refused === MAX_ASKED_AGAIN) throw read;
    return fitting(await operations.elicit(askedAgain(params, `${describeIssues(read, 'form')}.`)), refused + 1);
  };
  // Not by `await`: a task notices when the author forgets to await what is returned here.
  return mapOperation(operations.elicit(params), (answer) => fitting(answer, 0));
}
