import { HUNG_UP, refusalOf, SHUTTING_DOWN } from './errors.js';
/**
 * Serves the request when the store answers.
 *
 * @param serve may be called several times
 * @throws Refusal 503 when the process is about to end, 400 when the client hangs up; what `serve` throws
 */
export async function held({ patiently, closing }, raw, serve) {
    if (closing.aborted)
        return serve();
    const end = new AbortController();
    const onClosing = () => end.abort(refusalOf(SHUTTING_DOWN));
    const onHangUp = () => end.abort(refusalOf(HUNG_UP));
    closing.addEventListener('abort', onClosing);
    raw.once('close', onHangUp);
    try {
        return await patiently(serve, end.signal);
    }
    finally {
        closing.removeEventListener('abort', onClosing);
        raw.off('close', onHangUp);
    }
}
//# sourceMappingURL=held-request.js.map