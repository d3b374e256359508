import type { Clock } from '@longhaul/tasks';
import { RESPONSE_TTL_MS, type ClientResponseStore, type AskedRequest } from '../../gateway/client-response-store.js';

/** Answers within one process. */
export class MemoryClientResponseStore implements ClientResponseStore {
  readonly #answers = new Map<string, { readonly answer: string; readonly until: number }>();

  constructor(private readonly clock: Clock) {}

  async put(request: AskedRequest, answer: string): Promise<void> {
    const now = this.clock();
    for (const [name, { until }] of this.#answers) if (until <= now) this.#answers.delete(name);
    const name = nameOf(request);
    if (!this.#answers.has(name)) this.#answers.set(name, { answer, until: now + RESPONSE_TTL_MS });
  }

  async take(request: AskedRequest): Promise<string | undefined> {
    const found = this.#answers.get(nameOf(request));
    this.#answers.delete(nameOf(request));
    return found !== undefined && found.until > this.clock() ? found.answer : undefined;
  }
}

function nameOf({ sessionId, requestId }: AskedRequest): string {
  return `${sessionId} ${requestId}`;
}
