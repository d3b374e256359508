/** The operator API as commands see it, whether it is asked over HTTP or in this process. */
import { OperatorError } from './operator-error.js';
/** Asks the API. Every method throws OperatorError for what it refuses. */
export class OperatorApi {
    transport;
    constructor(transport) {
        this.transport = transport;
    }
    /** @param query members without a value are left out */
    async get(path, query = {}) {
        return jsonOf(await this.transport.send('GET', path + queryText(query)));
    }
    /** The body of an answer as it comes. */
    bytes(path, signal, query = {}) {
        return this.transport.stream(path + queryText(query), signal);
    }
    async post(path, body) {
        return jsonOf(await this.transport.send('POST', path, body));
    }
    async patch(path, body) {
        return jsonOf(await this.transport.send('PATCH', path, body));
    }
    async delete(path, body) {
        return jsonOf(await this.transport.send('DELETE', path, body));
    }
    /** Events until the stream ends, or the signal aborts. */
    async *events(path, query, signal) {
        const decoder = new TextDecoder();
        let unread = '';
        for await (const chunk of await this.transport.stream(path + queryText(query), signal)) {
            unread += decoder.decode(chunk, { stream: true });
            const parts = unread.split('\n\n');
            unread = parts.pop() ?? '';
            for (const part of parts) {
                const event = eventOf(part);
                if (event?.event === 'error')
                    throw new OperatorError({ status: 500, detail: detailOf(event.data), code: 'STREAM_BROKEN' });
                if (event !== undefined)
                    yield event;
            }
        }
    }
    close() {
        return this.transport.close();
    }
}
/** The error of an answer that is none of success. */
export function errorOf({ status, text }) {
    let problem = {};
    try {
        problem = JSON.parse(text);
    }
    catch {
        // A proxy may answer with anything.
    }
    const { detail = `The operator API answers with status ${status}.`, code = 'UNKNOWN' } = problem;
    return new OperatorError({ status, detail, code });
}
function jsonOf(answer) {
    if (answer.status >= 400)
        throw errorOf(answer);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
}
function queryText(query) {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
    return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
function eventOf(text) {
    let event = 'message';
    let data;
    for (const line of text.split('\n')) {
        if (line.startsWith('event: '))
            event = line.slice('event: '.length);
        if (line.startsWith('data: '))
            data = line.slice('data: '.length);
    }
    return data === undefined ? undefined : { event, data: JSON.parse(data) };
}
function detailOf(data) {
    return typeof data === 'object' && data !== null && 'detail' in data ? String(data.detail) : 'The stream broke.';
}
//# sourceMappingURL=operator-api.js.map