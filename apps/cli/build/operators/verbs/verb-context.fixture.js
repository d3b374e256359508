/** Commands with an operator API of which a test says what it answers. */
import { OperatorApi } from '../api/operator-api.js';
import { Output } from '../output/output.js';
/** @param respond a string is the text of a stream; nothing is answered as 404 */
export function scriptedContext(respond, { words = [], flags = {} }, form = 'text') {
    const out = [];
    const err = [];
    const asked = [];
    const answer = (request, body) => {
        asked.push(request);
        const value = respond(request, body);
        return value === undefined ? { status: 404, text: '{"code":"TASK_NOT_FOUND"}' } : { status: 200, text: JSON.stringify(value) };
    };
    const api = new OperatorApi({
        send: async (method, path, body) => answer(`${method} ${path}`, body),
        async stream(path) {
            asked.push(`STREAM ${path}`);
            const text = (respond(`STREAM ${path}`, undefined) ?? '');
            return (async function* () {
                yield new TextEncoder().encode(text);
            })();
        },
        close: async () => undefined,
    });
    const terminal = { env: {}, cwd: '.', out: (line) => void out.push(line), err: (line) => void err.push(line) };
    const values = (name) => (typeof flags[name] === 'string' ? [flags[name]] : []);
    const given = { words, values, value: (name) => values(name).at(-1), has: (name) => flags[name] === true };
    const signal = new AbortController().signal;
    return { api, given, terminal, output: new Output(terminal, form, false), signal, out, err, asked };
}
//# sourceMappingURL=verb-context.fixture.js.map