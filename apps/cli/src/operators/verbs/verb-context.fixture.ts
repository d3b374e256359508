/** Runs commands with an operator API that gives the answers of a test. */
import { OperatorApi, type RawAnswer } from '../api/operator-api.js';
import type { VerbContext } from '../command-line/verb.js';
import { Output } from '../output/output.js';

/** The answer of the API to a request such as `GET /tasks?limit=1`. */
export type Respond = (request: string, body: unknown) => unknown;

/** The parts of a command, and its output and questions so far. */
export interface ScriptedContext extends VerbContext {
  readonly out: string[];
  readonly err: string[];
  readonly asked: string[];
}

/** The command line; a flag without a value is `true`. */
export interface Typed {
  readonly words?: readonly string[];
  readonly flags?: Readonly<Record<string, string | true>>;
}

/** @param respond a string is the text of a stream; nothing is answered as 404 */
export function scriptedContext(respond: Respond, { words = [], flags = {} }: Typed, form: 'text' | 'json' = 'text'): ScriptedContext {
  const out: string[] = [];
  const err: string[] = [];
  const asked: string[] = [];
  const answer = (request: string, body?: unknown): RawAnswer => {
    asked.push(request);
    const value = respond(request, body);
    return value === undefined ? { status: 404, text: '{"code":"TASK_NOT_FOUND"}' } : { status: 200, text: JSON.stringify(value) };
  };
  const api = new OperatorApi({
    send: async (method, path, body) => answer(`${method} ${path}`, body),
    async stream(path) {
      asked.push(`STREAM ${path}`);
      const text = (respond(`STREAM ${path}`, undefined) ?? '') as string;
      return (async function* () {
        yield new TextEncoder().encode(text);
      })();
    },
    close: async () => undefined,
  });
  const terminal = { env: {}, cwd: '.', out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const values = (name: string): readonly string[] => (typeof flags[name] === 'string' ? [flags[name]] : []);
  const given = { words, values, value: (name: string) => values(name).at(-1), has: (name: string) => flags[name] === true };
  const signal = new AbortController().signal;
  return { api, given, terminal, output: new Output(terminal, form, false), signal, out, err, asked };
}
