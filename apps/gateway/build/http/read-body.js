import { BodiesInWork } from './bodies-in-work.js';
import { parseJsonBody, scanJsonBody } from './json-body.js';
/** What weighs more takes some milliseconds to parse and to check. */
const LARGE_BYTES = 512 * 1024;
/** @param app a scope of its own, whose routes are behind authentication */
export function readJsonBodies(app, { maxValues, inWorkBytes }) {
    const inWork = new BodiesInWork(inWorkBytes);
    const responses = new WeakMap();
    const inTurn = oneEachTurn();
    app.addHook('preParsing', (request, reply, payload, done) => {
        responses.set(request.raw, reply.raw);
        done(null, payload);
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, ({ method, raw }, text, done) => {
        // Only a POST has a body that means something.
        if (method !== 'POST')
            return done(null, undefined);
        const settled = (read) => {
            let body;
            try {
                body = read();
            }
            catch (error) {
                return done(error);
            }
            done(null, body);
        };
        let scanned;
        try {
            scanned = scanJsonBody(text, maxValues);
            const end = inWork.begin(raw, scanned.bytes);
            responses.get(raw)?.once('close', end);
        }
        catch (error) {
            return done(error);
        }
        const body = scanned;
        if (body.bytes < LARGE_BYTES)
            settled(() => parseJsonBody(body));
        else
            inTurn(() => settled(() => parseJsonBody(body)));
    });
}
/** Runs what it is given in order, and nothing of it in the same turn of the event loop. */
function oneEachTurn() {
    const waiting = [];
    const next = () => {
        waiting[0]?.();
        waiting.shift();
        if (waiting.length > 0)
            setImmediate(next);
    };
    return (run) => {
        if (waiting.push(run) === 1)
            setImmediate(next);
    };
}
//# sourceMappingURL=read-body.js.map