/** Writes the work of an agent as lines of JSON, for programs. docs/agent.md describes them. */
import type { AgentEvent, Outcome } from '@longhaul/agent';

/** Changes with the meaning of a line. New types of lines and new members do not change it. */
const VERSION = 1;

/** The lines of one run. */
export class JsonLines {
  #hasBegun = false;

  constructor(private readonly write: (line: string) => void) {}

  /** The first line: what is asked. */
  begin(model: string): void {
    this.#hasBegun = true;
    this.#line({ type: 'start', version: VERSION, model });
  }

  event(event: AgentEvent): void {
    this.#line(event);
  }

  /** The last line. */
  end(outcome: Outcome): void {
    if (!this.#hasBegun) this.begin('');
    this.#line({ type: 'result', ...outcome });
  }

  #line(value: object): void {
    this.write(JSON.stringify(value));
  }
}
