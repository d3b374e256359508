import { hashOf } from '@longhaul/runtime';
import { traceContextOf } from '@longhaul/runtime/telemetry';
import { remembered } from '@longhaul/tasks';
import { taskSpanId, traceOfTask } from '@longhaul/tasks/telemetry';
import { shownMethod } from '../rpc/methods.js';
import { metadataTraceOf, NO_REPORTS, } from '../rpc/operation.js';
/** Each request asks for that of its session. */
const hashOfSession = remembered(1_000, hashOf);
/** @returns what reports nothing if telemetry is off */
export function gatewayReports(telemetry, deps) {
    if (telemetry === undefined)
        return NO_REPORTS;
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
            if (openedAt !== undefined)
                metrics?.record('mcp.server.session.duration', Math.max(0, Date.now() - openedAt) / 1_000);
        },
        refused: (httpStatus) => metrics?.add('longhaul.requests.refused', 1, { 'http.response.status_code': httpStatus }),
    };
}
/** The operation with its duration measured. It may last as long as a stream, so nothing of the request is held. */
function measured(metrics, low, receivedAt, operation) {
    let isOver = false;
    return {
        ...operation,
        end(answer) {
            if (isOver)
                return;
            isOver = true;
            operation.end(answer);
            const failure = failureOf(answer);
            const labels = failure === undefined ? low : { ...low, ...failure.attributes };
            metrics.record('mcp.server.operation.duration', Math.max(0, Date.now() - receivedAt) / 1_000, labels);
        },
    };
}
function spanning(span, hidesMessages = false) {
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
            if (failure === undefined)
                return span.end();
            const { attributes, message } = failure;
            span.end({ attributes, error: hidesMessages ? String(attributes['error.type']) : message });
        },
    };
}
function beginSpan(traces, { message, headers, protocolVersion, sessionId, receivedAt }, { low, uris }) {
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
/**
 * Of few values, so that metrics can have them: methods, tools and prompts that exist. Requests that are alike share theirs.
 *
 * @returns what knows those of a request
 */
function lowAttributes({ features, isDirect }) {
    const prompts = new Set(features.prompts.map(({ name }) => name));
    const known = remembered(1_000, (_key, method, target, protocolVersion) => ({
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
        const isPrompt = method === 'prompts/get' && typeof name === 'string' && prompts.has(name);
        const target = isTool ? { 'gen_ai.tool.name': name } : isPrompt ? { 'gen_ai.prompt.name': name } : {};
        return known(`${protocolVersion} ${shown} ${isTool || isPrompt ? name : ''}`, shown, target, protocolVersion);
    };
}
function failureOf(answer) {
    if (answer === undefined)
        return { message: 'Nobody waited for the answer any more.', attributes: { 'error.type': 'cancelled' } };
    const { error, result } = answer;
    if (error !== undefined) {
        const code = String(error.code);
        return { message: error.message, attributes: { 'error.type': code, 'rpc.response.status_code': code } };
    }
    const isError = typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
    return isError ? { message: 'The tool has answered with an error.', attributes: { 'error.type': 'tool_error' } } : undefined;
}
//# sourceMappingURL=gateway-reports.js.map