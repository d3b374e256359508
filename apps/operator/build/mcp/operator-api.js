/** The operator API as the tools call it: by requests of the caller's own, so that it checks and records them like all others. */
import { isJsonObject } from '@longhaul/tasks';
/** What says who makes a request, and which name it was made to. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'host']);
/** @param request the caller's own one: its headers say who asks, and when it ends, nothing more is asked */
export function createOperatorApi(app, { headers, signal }) {
    const shown = Object.fromEntries([...headers].filter(([name]) => CREDENTIALS.has(name)));
    const ask = async (method, path, payload) => {
        const url = `/api/v1${path}`;
        const { statusCode, body } = await app.inject({ method, url, signal, headers: shown, ...(payload !== undefined && { payload }) });
        const answer = body === '' ? {} : JSON.parse(body);
        if (statusCode >= 400) {
            const { detail, code } = answer;
            throw new Error(`${detail} (${code})`);
        }
        return isJsonObject(answer) ? answer : {};
    };
    return {
        get: (path, query = {}) => ask('GET', `${path}?${queryOf(query)}`),
        post: (path, body) => ask('POST', path, body),
        put: (path, body) => ask('PUT', path, body),
    };
}
/** A list is what its entries are, separated by commas. */
function queryOf(query) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
//# sourceMappingURL=operator-api.js.map