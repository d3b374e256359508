import type { Answers, AskedClient } from './asked-client.js';
import type { FullClient } from './full-client.js';

/** Something that is done to both servers in the same way. */
export interface Probe<Side extends AskedClient = FullClient> {
  readonly name: string;
  readonly answers?: Answers;
  /** @returns what is compared, beside the requests and notifications that came meanwhile; a throw is compared as well */
  run(client: Side): Promise<unknown>;
}

/** A probe that is one request. */
export function request(method: string, params: Record<string, unknown> = {}, answers: Answers = {}, note = ''): Probe<AskedClient> {
  const given = Object.keys(params).length === 0 ? '' : ` ${JSON.stringify(params)}`;
  return { name: `${method}${given}${note}`, answers, run: (client) => client.request(method, params) };
}

/** A probe that is one call of a tool. @param note distinguishes it from others with the same arguments */
export function call(tool: string, args?: Record<string, unknown>, answers: Answers = {}, note = ''): Probe<AskedClient> {
  return {
    name: `${tool} ${args === undefined ? 'without arguments' : JSON.stringify(args)}${note === '' ? '' : `, ${note}`}`,
    answers,
    run: (client) => client.request('tools/call', { name: tool, ...(args !== undefined && { arguments: args }) }),
  };
}
