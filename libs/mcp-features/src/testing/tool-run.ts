/** Describes a tool's run for a test. */
import {
  EVENT_KINDS,
  type Json,
  type JsonObject,
  OPERATION_KINDS,
  type OperationEvent,
  type OperationKind,
  operationOfKey,
  type ProgressReport,
  type Spending,
  type TaskEvent,
  type TaskFailure,
  type Thrown,
} from '@longhaul/tasks';
import type { KillPlan, SimulatedRun } from '@longhaul/tasks/simulation';
import { shortened } from '@longhaul/tasks/text';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** A log message to the client. */
export interface LogMessage {
  readonly level: string;
  readonly data: Json;
  readonly logger?: string;
}

/** How a tool ran. */
export interface ToolRun {
  /** The result for the model. */
  readonly result: CallToolResult;
  /** The texts of the result, a line each. */
  readonly text: string;
  /** Status messages. */
  readonly statuses: readonly string[];
  readonly progress: readonly ProgressReport[];
  /** The values that it has shown with `expose`, as they were recorded: of several within a tenth of a second, the latest. */
  readonly exposed: readonly Json[];
  /** What it has spent, and the tools that it has called. */
  readonly spent: Spending;
  readonly logs: readonly LogMessage[];
  /** The requests to the client: a method and its params. */
  readonly asked: readonly { readonly method: string; readonly params: JsonObject }[];
  /** How often the function of each step ran, by name; of a name that was used again, the later ones end with `:2`, `:3`, … */
  readonly stepRuns: Readonly<Record<string, number>>;
  /** The record, one event a line. */
  readonly history: readonly string[];
  /** What the tool has thrown at last, if it has an error result because of that: with the step, and with the stack in your files. */
  readonly thrown?: Thrown;
  /** How long the task took by the clock of the test, milliseconds. */
  readonly elapsedMs: number;
  /** Warnings to the author of the tool, such as time that was read outside of steps. */
  readonly warnings: readonly string[];
  /**
   * With `kills`: steps with functions that ran more often because the worker was killed. Their changes elsewhere happened as often, which
   * only `after` can see.
   */
  readonly ranAgain: readonly string[];
  /** Where the worker was killed in this run. */
  readonly killedAt?: string;
}

/** The call ends with a JSON-RPC error: one that the tool has thrown, or one of the engine, which has a `reason` in its data. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: number;
  readonly data: Json | undefined;

  constructor(
    tool: string,
    { code, message, data }: TaskFailure,
    /** The record, one event a line. */
    readonly history: readonly string[],
    /** What the tool has thrown, with the step, and with the stack in your files. Absent for an error of the engine. */
    readonly thrown: Thrown | undefined,
  ) {
    // Errors of the engine name the tool themselves.
    super(message.startsWith(tool) ? message : `${tool}: ${message}`);
    this.code = code;
    this.data = data;
  }
}

/** Makes the result for a test from the run of a task. @throws ToolFailure when it ended with a JSON-RPC error */
export function toolRun(
  tool: string,
  run: SimulatedRun,
  { warnings, ranAgain }: Pick<ToolRun, 'warnings' | 'ranAgain'>,
  killedAt?: string,
): ToolRun {
  const { outcome, asked, stepRuns, elapsedMs } = run;
  const history = readableHistory(run.history);
  if (outcome.kind === 'error') throw new ToolFailure(tool, outcome.error, history, outcome.thrown);
  const result = (outcome.kind === 'result' ? outcome.result : { content: [] }) as CallToolResult;
  const { content } = result;
  const notified = run.history.flatMap((event) => (event.type === 'NotificationSent' ? [event.data] : []));
  return {
    result,
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    statuses: run.history.flatMap((event) => (event.type === 'StatusReported' ? [event.data.message] : [])),
    progress: run.history.flatMap((event) => (event.type === 'ProgressReported' ? [progressOf(event.data)] : [])),
    exposed: run.history.flatMap((event) => (event.type === 'ValueExposed' ? [event.data.value] : [])),
    spent: run.spent ?? {},
    logs: notified.filter(({ method }) => method === 'notifications/message').map(({ params }) => params as JsonObject & LogMessage),
    asked: asked.map(({ method, params }) => ({ method, params })),
    stepRuns: Object.fromEntries(stepRuns),
    history,
    ...(outcome.kind === 'result' && outcome.thrown !== undefined && { thrown: outcome.thrown }),
    elapsedMs,
    warnings,
    ranAgain,
    ...(killedAt !== undefined && { killedAt }),
  };
}

/** Where a worker is killed, as in `before the record of step "charge" (3 of 7)`. @param of the run with the counted appends */
export function placeOf({ append, side }: KillPlan, { appends }: SimulatedRun): string {
  const names = (appends[append - 1] ?? []).map(eventName).join(', ');
  return `${side} the record of ${names} (${append} of ${appends.length})`;
}

/** A short description of an event. */
function eventName(event: TaskEvent): string {
  const { role } = EVENT_KINDS[event.type];
  if (role === 'opens' || role === 'settles') {
    const { type, data } = event as OperationEvent;
    const { operation } = EVENT_KINDS[type];
    const name = operationName(operation, data.key);
    return role === 'opens' || operation === 'step' ? name : `the end of ${name}`;
  }
  if (event.type === 'PassStarted') return `the start of pass ${event.data.pass}`;
  if (event.type === 'PassSuspended') return 'the wait';
  return event.type === 'TaskCompleted' ? 'the result' : event.type;
}

function progressOf({ progress, total, message }: ProgressReport): ProgressReport {
  return { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
}

const MAX_DATA_LENGTH = 200;

function readableHistory(events: readonly TaskEvent[]): string[] {
  const [first] = events;
  return events.map(({ type, at, data }) => {
    const shown = shortened(JSON.stringify(data), MAX_DATA_LENGTH);
    return `+${at - (first?.at ?? at)} ms ${type} ${shown}`;
  });
}

/** The name of an operation in a message to the author, by its key: `step "charge"`, or `context.now() (use 2)` for `$now:2`. */
export function operationName(kind: keyof typeof OPERATION_KINDS, key: string): string {
  const [, name = key, use, scopes = ''] = /^(\$\w+)(?::(\d+))?( @ .*)?$/s.exec(key) ?? [];
  const own = operationOfKey(name);
  const { called }: OperationKind = OPERATION_KINDS[kind];
  if (own === undefined) return `${called} "${key}"`;
  return use === undefined ? `${own}${scopes}` : `${own} (use ${use})${scopes}`;
}
