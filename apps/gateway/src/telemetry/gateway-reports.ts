/** Reports requests as spans and measurements, in the words of OpenTelemetry's conventions for MCP. */
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { hashOf } from '@longhaul/runtime';
import { type Metrics, type OpenSpan, type Telemetry, traceContextOf, type Traces } from '@longhaul/runtime/telemetry';
import { remembered } from '@longhaul/tasks';
import { taskSpanId, traceOfTask } from '@longhaul/tasks/telemetry';
import { shownMethod } from '../rpc/methods.js';
import {
  type GatewayReports,
  metadataTraceOf,
  NO_REPORTS,
  type Operation,
  type OperationEnd,
  type ReceivedRequest,
} from '../rpc/operation.js';

/** Each request needs the hash of its session. */
const hashOfSession = remembered(1_000, hashOf);

type Attributes = Readonly<Record<string, string>>;

/** The parts that reports need, in addition to telemetry. */
export interface GatewayReportsDeps {
  readonly features: Pick<FeatureRegistry, 'tool' | 'prompt' | 'resources'>;
  /** Whether the only client is connected by standard input and output, and not over the network. */
  readonly isDirect: boolean;
  /** Leaves out the words of tools and callers, and URIs of templates, because a caller fills in a part of them. */
  readonly hidesMessages?: boolean;
}

/** @returns reports that do nothing if telemetry is off */
export function gatewayReports(telemetry: Telemetry | undefined, deps: GatewayReportsDeps): GatewayReports {
  if (telemetry === undefined) return NO_REPORTS;
  const { traces, metrics } = telemetry;
  const lowOf = lowAttributes(deps);
  const uris = deps.hidesMessages === true ? new Set(deps.features.resources.map(({ uri }) => uri)) : undefined;
  return {
    begin(request) {
      const low = lowOf(request);
      const span = traces && beginSpan(traces, request, { low, uris });
      const operation = span === undefined ? NO_REPORTS.begin(request) : spanning(span, deps.hidesMessages);
      return metrics === undefined ? operation : measured(metrics, low, request.receivedAt, operation);
    },
    sessionOpened: () => metrics?.add('longhaul.sessions.opened', 1),
    sessionEnded(openedAt) {
      metrics?.add('longhaul.sessions.ended', 1);
      if (openedAt !== undefined) metrics?.record('mcp.server.session.duration', Math.max(0, Date.now() - openedAt) / 1_000);
    },
    refused: (httpStatus) => metrics?.add('longhaul.requests.refused', 1, { 'http.response.status_code': httpStatus }),
  };
}

/** The operation with its duration measured. It may last as long as a stream, so it keeps no part of the request. */
function measured(metrics: Metrics, low: Attributes, receivedAt: number, operation: Operation): Operation {
  let isOver = false;
  return {
    ...operation,
    end(answer) {
      if (isOver) return;
      isOver = true;
      operation.end(answer);
      const failure = failureOf(answer);
      const labels = failure === undefined ? low : { ...low, ...failure.attributes };
      metrics.record('mcp.server.operation.duration', Math.max(0, Date.now() - receivedAt) / 1_000, labels);
    },
  };
}

function spanning(span: OpenSpan, hidesMessages = false): Operation {
  return {
    trace: span.context,
    askedIn: span.context,
    within: (work) => span.within(work),
    about({ taskId, trace, traceState }) {
      const of = traceOfTask(taskId, { ...(trace !== undefined && { trace }), ...(traceState !== undefined && { traceState }) });
      span.adopt({ traceId: of.traceId, spanId: taskSpanId(taskId), isSampled: of.isSampled ?? true });
    },
    end(answer) {
      const failure = failureOf(answer);
      if (failure === undefined) return span.end();
      const { attributes, message } = failure;
      span.end({ attributes, error: hidesMessages ? String(attributes['error.type']) : message });
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
      // Without authentication, the id of a session suffices to use it.
      ...(sessionId !== undefined && { 'mcp.session.id': hashOfSession(sessionId) }),
      ...(typeof uri === 'string' && (uris?.has(uri) ?? true) && { 'mcp.resource.uri': uri }),
    },
  });
}

/**
 * Attributes with few values, so that metrics can have them: methods, tools and prompts that exist. Similar requests share one object.
 *
 * @returns a function that finds the attributes of a request
 */
function lowAttributes({ features, isDirect }: GatewayReportsDeps): (request: ReceivedRequest) => Attributes {
  const known = remembered(1_000, (_key, method: string, target: Attributes, protocolVersion: string): Attributes => ({
    'mcp.method.name': method,
    'mcp.protocol.version': protocolVersion,
    'network.transport': isDirect ? 'pipe' : 'tcp',
    ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
    ...target,
  }));
  return ({ message: { method, params }, protocolVersion }) => {
    const shown = shownMethod(method);
    const name = params?.['name'];
    const isTool = method === 'tools/call' && typeof name === 'string' && features.tool(name) !== undefined;
    const isPrompt = method === 'prompts/get' && typeof name === 'string' && features.prompt(name) !== undefined;
    const target: Attributes = isTool ? { 'gen_ai.tool.name': name } : isPrompt ? { 'gen_ai.prompt.name': name } : {};
    return known(`${protocolVersion} ${shown} ${isTool || isPrompt ? name : ''}`, shown, target, protocolVersion);
  };
}

/** How a request failed. */
interface Failure {
  readonly message: string;
  readonly attributes: Attributes;
}

function failureOf(answer: OperationEnd | undefined): Failure | undefined {
  if (answer === undefined) return { message: 'No request waited for the answer any more.', attributes: { 'error.type': 'cancelled' } };
  const { error, result } = answer;
  if (error !== undefined) {
    const code = String(error.code);
    return { message: error.message, attributes: { 'error.type': code, 'rpc.response.status_code': code } };
  }
  const isError = typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
  return isError ? { message: 'The tool has answered with an error.', attributes: { 'error.type': 'tool_error' } } : undefined;
}
