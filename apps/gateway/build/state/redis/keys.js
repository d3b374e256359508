import { hashOfAccount } from '@longhaul/sessions';
/** The keys under a prefix. */
export function gatewayKeys(prefix) {
    const session = (id) => `${prefix}:session:{${id}}`;
    const streamLog = (sessionId, streamId) => `${session(sessionId)}:sse:${streamId}`;
    return {
        session,
        secret: `${prefix}:secret`,
        lists: `${prefix}:lists`,
        streamLog,
        streamMeta: (sessionId, streamId) => `${streamLog(sessionId, streamId)}:meta`,
        openStreams: (sessionId) => `${session(sessionId)}:streams`,
        standalone: (sessionId) => `${session(sessionId)}:standalone`,
        cancelledRequests: (sessionId) => `${session(sessionId)}:cancelled`,
        clientResponse: (sessionId, requestId) => `${session(sessionId)}:answer:${requestId}`,
        streamChanged: (sessionId, streamId) => `${streamLog(sessionId, streamId)}:changed`,
        gateway: (id) => `${prefix}:gateway:{${id}}`,
        deliveryLeases: (taskId) => `${prefix}:{${taskId}}:claims`,
        outcome: (id) => `${prefix}:outcome:{${id}}`,
        rate: (what, account) => `${prefix}:rate:{${hashOfAccount(account)}}:${what}`,
        control: `${prefix}:gateways`,
        controlOf: (gatewayId) => `${prefix}:gateways:${gatewayId}`,
    };
}
//# sourceMappingURL=keys.js.map