/** Provides tools, and reads calls, for tests. */
import type { ToolDescription } from '../model/chat-model.js';
import { readTextualCalls, type TextualReply } from './read-textual-calls.js';

export const TOOLS: readonly ToolDescription[] = [
  {
    name: 'get-date',
    description: 'The current date.',
    parameters: { type: 'object', properties: { format: { type: 'string' }, timezone: { type: 'string' } } },
  },
  { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'integer' } }, required: ['a', 'b'] } },
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        content: { type: 'string' },
        mode: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        overwrite: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        options: { $ref: '#/$defs/options' },
        anything: {},
      },
      $defs: { options: { type: 'object' } },
    },
  },
];

/** A call without its id. */
export type NamedArguments = readonly [name: string, given: unknown];

export function read(text: string, isCut = false): TextualReply {
  return readTextualCalls(text, { tools: TOOLS, idOf: (index) => `id-${String(index)}`, isCut });
}

/** The calls of a text, with their arguments parsed. */
export function callsOf(text: string): NamedArguments[] {
  return read(text).calls.map(({ function: { name, arguments: given } }) => [name, JSON.parse(given) as unknown]);
}
