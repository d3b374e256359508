/** Features of a class. Decorators have to be compiled first: npm run build -- examples && LONGHAUL_FEATURES=./examples/dist/glossary.js npm start */
import { type DurableContext, featuresOf, McpComplete, McpList, McpPrompt, McpResource, McpTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const Term = z.object({ term: z.string() });
const Explanation = z.object({ term: z.string(), audience: z.enum(['a child', 'an expert']).default('an expert') });
const Guess = z.object({ meaning: z.string().describe('What it means') });

class Glossary {
  readonly #meanings: ReadonlyMap<string, string>;

  constructor(meanings: Readonly<Record<string, string>>) {
    this.#meanings = new Map(Object.entries(meanings));
  }

  @McpTool({ description: 'Says what a term means.', input: Term })
  lookUpTerm({ term }: z.output<typeof Term>): string {
    return this.#meanings.get(term) ?? `Unknown. Known are ${[...this.#meanings.keys()].join(', ')}.`;
  }

  @McpTool({ description: 'Asks the user for each term.', task: 'optional', needs: ['elicitation.form'] })
  async quiz(_args: object, context: DurableContext): Promise<string> {
    const lines: string[] = [];
    for (const [term, meaning] of this.#meanings) {
      const guess = await context.elicit(Guess, `What is a ${term}?`);
      if (guess.action !== 'accept') break;
      lines.push(`${term}: you say "${guess.content.meaning}", we say "${meaning}".`);
    }
    return lines.join('\n') || 'No answers.';
  }

  @McpPrompt({ description: 'Has a term explained to someone.', arguments: Explanation })
  explainTerm({ term, audience }: z.output<typeof Explanation>): string {
    return `Explain "${term}" to ${audience}. It means: ${this.#meanings.get(term) ?? 'nothing that we know'}.`;
  }

  @McpResource({ uri: 'glossary://{term}', description: 'What a term means', mimeType: 'text/plain' })
  meaning({ term }: { term: string }): string | undefined {
    return this.#meanings.get(term);
  }

  @McpList({ uri: 'glossary://{term}' })
  listMeanings() {
    return [...this.#meanings.keys()].map((term) => ({ uri: `glossary://${encodeURIComponent(term)}`, name: term }));
  }

  @McpComplete({ prompt: 'explain-term', argument: 'term' })
  @McpComplete({ uri: 'glossary://{term}', variable: 'term' })
  terms(value: string): string[] {
    return [...this.#meanings.keys()].filter((term) => term.startsWith(value));
  }
}

/** Gateways and workers load what is exported under this name. */
export const features = featuresOf(
  new Glossary({
    pass: 'one run of a workflow, from its start to its next wait or its end',
    projection: 'what can be asked about, made of the events of a task',
    'recorded step': 'a part of a workflow whose value is kept, so that it never runs again',
  }),
);
