/** Finds tools by words, where there are too many to show a model all of them. */
import MiniSearch from 'minisearch';
import type { AgentTool } from './toolbox.js';

/** A longer text, such as a question with a file in it, is searched for by its beginning. */
const MAX_QUERY_CHARACTERS = 2_000;

const FIELDS = { name: 3, title: 2, description: 1, parameters: 0.5, server: 1 } as const;

/** An index of tools by their names, descriptions, servers and parameters. */
export class ToolIndex {
  private readonly index = new MiniSearch<{ readonly id: number } & Record<keyof typeof FIELDS, string>>({
    fields: Object.keys(FIELDS),
    tokenize: words,
    searchOptions: {
      boost: FIELDS,
      // "mail" also finds "mails"; a short word with a typing error could be any other.
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.5, fuzzy: 0.2 },
    },
  });

  constructor(private readonly tools: readonly AgentTool[]) {
    this.index.addAll(
      tools.map(({ server, listed }, id) => ({
        id,
        name: listed.name,
        title: listed.title ?? '',
        description: listed.description ?? '',
        parameters: Object.keys(listed.inputSchema.properties ?? {}).join(' '),
        server,
      })),
    );
  }

  /** The tools that fit the text best, the best first. */
  find(text: string, most: number): readonly AgentTool[] {
    const found = this.index.search(text.slice(0, MAX_QUERY_CHARACTERS).toWellFormed()).slice(0, most);
    return found.flatMap(({ id }) => this.tools[id as number] ?? []);
  }
}

/** The words of a text, and the parts of names such as `readFile` and `read_file`. */
function words(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
