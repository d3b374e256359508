/** Requests as spans and measurements, in the words of OpenTelemetry's conventions for MCP. */
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { hashOf } from '@longhaul/runtime';
import { type Metrics, type OpenSpan, type Telemetry, traceContextOf, type Traces } from '@longhaul/runtime/telemetry';
import { remembered } from '@longhaul/tasks';
import { taskSpanId, traceOfTask, traceparentOf } from '@longhaul/tasks/telemetry';
import { METHODS } from '../rpc/methods.js';
import {
  type GatewayReports,
  metadataTraceOf,
  NO_REPORTS,
  type Operation,
  type OperationEnd,
  type ReceivedRequest,
} from '../rpc/operation.js';

/** Each request asks for that of its session. */
const hashOfSession = remembered(1_000, hashOf);

type Attributes = Readonly<Record<string, string>>;

/** What reports need beside telemetry. */
export interface GatewayReportsDeps {
  readonly features: Pick<FeatureRegistry, 'tool' | 'prompts' | 'resources'>;
  /** Whether the one client comes over standard input and output, and not over the network. */
  readonly isDirect: boolean;
  /** Leaves out what tools and callers have said, and URIs that are no resource's own: a caller fills in those of a template. */
  readonly hidesMessages?: boolean;
}

/** @returns what reports nothing if telemetry is off */
export function gatewayReports(telemetry: Telemetry | undefined, deps: GatewayReportsDeps): GatewayReports {
  if (telemetry === undefined) return NO_REPORTS;
  const { traces, metrics } = telemetry;
  const promptNames = new Set(deps.features.prompts.map(({ name }) => name));
  const uris = deps.hidesMessages === true ? new Set(deps.features.resources.map(({ uri }) => uri)) : undefined;
  return {
    begin(request) {
      const low = lowAttributes(request, deps, promptNames);
      const span = traces && beginSpan(traces, request, { low, uris });
      return span === undefined || traces === undefined
        ? measured(metrics, low, request.receivedAt, NO_REPORTS.begin(request))
        : measured(metrics, low, request.receivedAt, spanning(traces, span, deps.hidesMessages));
    },
    sessionOpened: () => metrics?.add('longhaul.sessions.opened', 1),
    sessionEnded(openedAt) {
      metrics?.add('longhaul.sessions.ended', 1);
      if (openedAt !== undefined) metrics?.record('mcp.server.session.duration', Math.max(0, Date.now() - openedAt) / 1_000);
    },
    refused: (httpStatus) => metrics?.add('longhaul.requests.refused', 1, { 'http.response.status_code': httpStatus }),
  };
}

/** The operation with its duration measured. It may last as long as a stream, so nothing of the request is held. */
function measured(metrics: Metrics | undefined, low: Attributes, receivedAt: number, operation: Operation): Operation {
  let isOver = false;
  return {
    ...operation,
    end(answer) {
      if (isOver) return;
      isOver = true;
      operation.end(answer);
      metrics?.record('mcp.server.operation.duration', Math.max(0, Date.now() - receivedAt) / 1_000, {
        ...low,
        ...failureOf(answer)?.attributes,
      });
    },
  };
}

function spanning(traces: Traces, span: OpenSpan, hidesMessages = false): Operation {
  return {
    trace: span.context,
    askedIn: span.context,
    within: (work) => traces.within(span.context, work),
    about({ taskId, trace, traceState }) {
      const of = traceOfTask(taskId, { ...(trace !== undefined && { trace }), ...(traceState !== undefined && { traceState }) });
      span.adopt({ traceparent: traceparentOf(of, taskSpanId(taskId)) });
    },
    end(answer) {
      const failure = failureOf(answer);
      span.end({
        attributes: failure?.attributes ?? {},
        ...(failure !== undefined && { error: hidesMessages ? String(failure.attributes['error.type']) : failure.message }),
      });
    },
  };
}

function beginSpan(
  traces: Traces,
  { message, headers, protocolVersion, sessionId, receivedAt }: ReceivedRequest,
  { low, uris }: { readonly low: Attributes; readonly uris: ReadonlySet<string> | undefined },
): OpenSpan {
  const target = low['gen_ai.tool.name'] ?? low['gen_ai.prompt.name'];
  const method = low['mcp.method.name'] ?? '';
  const ofMessage = metadataTraceOf(message.params);
  const ofHttp = traceContextOf(headers);
  const uri = method.startsWith('resources/') ? message.params?.['uri'] : undefined;
  return traces.begin({
    name: target === undefined ? method : `${method} ${target}`,
    kind: 'server',
    startMs: receivedAt,
    parent: ofMessage ?? ofHttp,
    links: ofMessage !== undefined && ofHttp !== undefined ? [ofHttp] : [],
    attributes: {
      ...low,
      'jsonrpc.request.id': String(message.id),
      'mcp.protocol.version': protocolVersion,
      // Where nobody says who they are, the id of a session is all that it takes to use it.
      ...(sessionId !== undefined && { 'mcp.session.id': hashOfSession(sessionId) }),
      ...(typeof uri === 'string' && (uris?.has(uri) ?? true) && { 'mcp.resource.uri': uri }),
    },
  });
}

/** Of few values, so that metrics can have them: methods, tools and prompts that exist. */
function lowAttributes(
  { message, protocolVersion }: ReceivedRequest,
  { features, isDirect }: GatewayReportsDeps,
  prompts: ReadonlySet<string>,
): Attributes {
  const { method, params } = message;
  const name = params?.['name'];
  const isTool = method === 'tools/call' && typeof name === 'string' && features.tool(name) !== undefined;
  const isPrompt = method === 'prompts/get' && typeof name === 'string' && prompts.has(name);
  return {
    'mcp.method.name': Object.hasOwn(METHODS, method) ? method : '_OTHER',
    'mcp.protocol.version': protocolVersion,
    'network.transport': isDirect ? 'pipe' : 'tcp',
    ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
    ...(isTool && { 'gen_ai.tool.name': name }),
    ...(isPrompt && { 'gen_ai.prompt.name': name }),
  };
}

/** How a request failed. */
interface Failure {
  readonly message: string;
  readonly attributes: Attributes;
}

function failureOf(answer: OperationEnd | undefined): Failure | undefined {
  if (answer === undefined) return { message: 'Nobody waited for the answer any more.', attributes: { 'error.type': 'cancelled' } };
  const { error, result } = answer;
  if (error !== undefined) {
    const code = String(error.code);
    return { message: error.message, attributes: { 'error.type': code, 'rpc.response.status_code': code } };
  }
  const isError = typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
  return isError ? { message: 'The tool has answered with an error.', attributes: { 'error.type': 'tool_error' } } : undefined;
}
