/** The operator API in this process, on a store whose tasks a test writes. */
import { createFeatureRegistry, type Feature } from '@longhaul/mcp-features';
import { type OpenedOperator, openOperator, type Operator, type OperatorParts, readConfig } from '@longhaul/operator';
import type { Store } from '@longhaul/sessions';
import { createTaskService, type JsonObject, rowOf, type TaskId, type TaskService } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { pino } from 'pino';

/** Tokens that the API knows, by who has them. */
export const TOKENS = { reader: 'r3adOnlyT0ken.for.a.test', ada: '0perat0r.t0ken.of.a.test' } as const;

const HOLDERS: ReadonlyMap<string, Operator> = new Map([
  [TOKENS.reader, { name: 'reader', role: 'read' }],
  [TOKENS.ada, { name: 'ada', role: 'operate' }],
]);

/** A form of one field. */
export const FORM: JsonObject = {
  message: 'How many?',
  requestedSchema: { type: 'object', properties: { count: { type: 'integer', minimum: 1, maximum: 9 } }, required: ['count'] },
};

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** An open API, and the tasks behind it. */
export interface Operated {
  readonly operator: OpenedOperator;
  readonly service: TaskService;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: object): Promise<Answer>;
  patch(path: string, body: object): Promise<Answer>;
  delete(path: string, body: object): Promise<Answer>;
  /** A task that waits for a worker. */
  create(tool?: string, args?: JsonObject): Promise<TaskId>;
  /** Writes what a history appends. */
  append(request: ReturnType<TaskHistory['create']>): Promise<void>;
  /** A task that asks its client. */
  ask(params?: JsonObject): Promise<TaskId>;
  fail(tool: string, reason: string): Promise<TaskId>;
}

/** @param features that the process has been given */
export async function operated(
  store: Store,
  env: NodeJS.ProcessEnv = {},
  features: readonly Feature[] = [],
  parts: Pick<OperatorParts, 'connections'> = {},
): Promise<Operated> {
  const logger = pino({ level: 'silent' });
  const operator = await openOperator({
    store,
    config: readConfig(env),
    logger,
    tokens: HOLDERS,
    loadFeatures: async () => createFeatureRegistry(features),
    ...parts,
  });
  const service = createTaskService(store, {
    onError: (error) => {
      throw error;
    },
  });
  const append = async (request: ReturnType<TaskHistory['create']>): Promise<void> => {
    const answer = await store.events.append({ ...request, row: rowOf(request.projection.view) });
    if (answer !== 'appended') throw new Error(answer);
  };
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    headers: Record<string, string>,
    payload?: object,
  ): Promise<Answer> => {
    const given = { host: 'localhost', authorization: `Bearer ${TOKENS.ada}`, ...headers };
    const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    const response = await operator.app.inject({ method, url: path, headers: sent, ...(payload !== undefined && { payload }) });
    const body = response.payload === '' ? {} : (JSON.parse(response.payload) as Record<string, unknown>);
    return { status: response.statusCode, body, headers: response.headers };
  };
  const begun = async (tool: string, args: JsonObject): Promise<TaskHistory> => {
    const history = new TaskHistory();
    await append(history.create({ tool, arguments: args }));
    await append(history.claim());
    return history;
  };
  return {
    operator,
    service,
    append,
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, body, headers = {}) => send('POST', path, headers, body),
    put: (path, body) => send('PUT', path, {}, body),
    patch: (path, body) => send('PATCH', path, {}, body),
    delete: (path, body) => send('DELETE', path, {}, body),
    async create(tool = 'research', args = { topic: 'tides' }) {
      const history = new TaskHistory();
      await append(history.create({ tool, arguments: args }));
      return history.taskId;
    },
    async ask(params = FORM) {
      const history = await begun('survey', {});
      const { startedAt: at } = history;
      const { epoch } = history.state;
      const asks = { type: 'RequestInput', at, epoch, key: 'ask', method: 'elicitation/create', params } as const;
      await append(history.append([asks, { type: 'SuspendPass', at, epoch, waitingFor: ['ask'] }], epoch));
      return history.taskId;
    },
    async fail(tool, reason) {
      const history = await begun(tool, { topic: reason });
      const { epoch } = history.state;
      const error = { code: -32_603, message: `It failed: ${reason}`, data: { reason } };
      await append(history.append([{ type: 'FailTask', at: history.startedAt, epoch, error }], epoch));
      return history.taskId;
    },
  };
}
