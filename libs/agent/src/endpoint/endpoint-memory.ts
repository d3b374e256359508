/**
 * Remembers the behaviour of endpoints by URL and model, so that it is tested once: in this process, and in a collection of records for
 * other processes. It holds for a day, because an operator may change an endpoint; then it is tested again. A collection that cannot be
 * read or written is done without: then a request is refused once more, and nothing else. Nothing of it has a key or a name.
 */
import { createHash } from 'node:crypto';
import type { Json, OwnerCollection } from '@longhaul/tasks';
import { z } from 'zod';

const OPTIONAL_MEMBERS = [
  'include',
  'max_tokens',
  'parallel_tool_calls',
  'response_format',
  'store',
  'stream_options',
  'thoughts',
] as const;

/** A member of a request that a server may not know, and that can be left out. `thoughts` are those that are sent back. */
export type OptionalMember = (typeof OPTIONAL_MEMBERS)[number];

const facts = z.strictObject({
  mode: z.exactOptional(z.enum(['native', 'textual', 'schema'])),
  lacksToolParser: z.exactOptional(z.boolean()),
  opensThoughts: z.exactOptional(z.boolean()),
  refuses: z.exactOptional(z.array(z.enum(OPTIONAL_MEMBERS)).readonly()),
});

/**
 * The known behaviour of an endpoint with a model. Plain JSON. `mode` is how it takes tools, where that was to be found out.
 * `lacksToolParser`: it is vLLM without a parser for tool calls, so the calls are in the text. `opensThoughts`: the prompt ends with the
 * beginning of a thought, so that an answer begins within one. `refuses`: members that are left out.
 */
export type EndpointFacts = Readonly<z.output<typeof facts>>;

/** What is known of an endpoint, since when: epoch milliseconds. */
const entry = z.object({ at: z.number(), facts });

type Entry = z.output<typeof entry>;

/** How long facts hold, from the first of them on. */
const KEPT_MS = 24 * 3_600_000;

/** The behaviour of endpoints. None of its methods rejects. */
export class EndpointMemory {
  readonly #known = new Map<string, Entry>();

  /**
   * @param kept where other processes find it, if they shall
   * @param warn receives a line when that cannot be read or written
   */
  constructor(
    public kept?: OwnerCollection,
    private readonly warn: (line: string) => void = () => undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** What is known of the endpoint. */
  async recall(endpoint: string): Promise<EndpointFacts> {
    const known = this.#fresh(this.#known.get(endpoint));
    if (known !== undefined) return known.facts;
    const kept = await this.#tried(() => this.kept?.read((records) => this.#fresh(entryOf(records.get(idOf(endpoint))))));
    if (kept !== undefined) this.#known.set(endpoint, kept);
    return kept?.facts ?? {};
  }

  /** Adds what was found. */
  async learn(endpoint: string, found: EndpointFacts): Promise<void> {
    const added = (before: Entry | undefined): Entry => {
      const { at, facts: earlier } = this.#fresh(before) ?? { at: this.now(), facts: {} };
      return { at, facts: { ...earlier, ...found } };
    };
    this.#known.set(endpoint, added(this.#known.get(endpoint)));
    await this.#write(endpoint, (kept) => added(kept));
  }

  /** Forgets the endpoint: it has changed. */
  async forget(endpoint: string): Promise<void> {
    this.#known.delete(endpoint);
    await this.#write(endpoint, () => undefined);
  }

  async #write(endpoint: string, change: (kept: Entry | undefined) => Entry | undefined): Promise<void> {
    await this.#tried(() =>
      this.kept?.update((records) => {
        const id = idOf(endpoint);
        const old = [...records].filter(([other, record]) => other !== id && this.#fresh(entryOf(record)) === undefined);
        const value = change(entryOf(records.get(id))) as Json | undefined;
        return { changes: [...old.map(([other]) => ({ id: other })), { id, value }], result: undefined };
      }),
    );
  }

  async #tried<T>(work: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.warn(`What is known of the models' endpoints cannot be kept: ${String(error)}`);
      return undefined;
    }
  }

  #fresh(known: Entry | undefined): Entry | undefined {
    return known !== undefined && this.now() - known.at < KEPT_MS ? known : undefined;
  }
}

/** The name of the facts: the URL without what may be secret in it, the model, and the path of the API unless it is that of most. */
export function memoryKey(baseUrl: URL, model: string, path = ''): string {
  return `${baseUrl.origin}${baseUrl.pathname} ${model}${path}`;
}

/** Tells endpoints apart without naming them. Their names may also be longer than the id of a record. */
export function idOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex').slice(0, 32);
}

/** A record of another version says nothing. */
function entryOf(record: Json | undefined): Entry | undefined {
  return entry.safeParse(record).data;
}
