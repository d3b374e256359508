import { fetch, readBody } from '@longhaul/runtime/guarded-agent';
import { isJsonObject } from '@longhaul/tasks';
/** How long an authorization server may take. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
/**
 * Asks an authorization server for an object. It goes where it is sent and nowhere else: no redirect is followed.
 *
 * @throws Error with one line that names the URL, for anything but an object within 5 s
 */
export async function fetchJson(url, request = {}) {
    try {
        const response = await fetch(url, {
            ...request,
            headers: { accept: 'application/json, application/jwk-set+json', ...request.headers },
            redirect: 'manual',
            signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const { bytes, isCut } = await readBody(response, { maxBytes: MAX_BYTES });
        if (response.status !== 200)
            throw new Error(`it answers ${response.status}`);
        if (isCut)
            throw new Error(`it answers more than ${MAX_BYTES} bytes`);
        const value = JSON.parse(Buffer.from(bytes).toString());
        if (!isJsonObject(value))
            throw new Error('it answers no object');
        return value;
    }
    catch (error) {
        throw new Error(`${url} cannot be read: ${reasonOf(error)}`, { cause: error });
    }
}
function reasonOf(error) {
    if (!(error instanceof Error))
        return String(error);
    return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
//# sourceMappingURL=fetch-json.js.map