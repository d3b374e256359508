import type { DurableContext } from '@longhaul/mcp-features';

/** Something that a run waits for. */
export interface Wait {
  /** Shows what is waited for. */
  say(text: string): void;
  /** It is not waited for any more. */
  end(): void;
}

/** The status message of a run: what it waits for, the latest first, or else what it does. The same again is not recorded again. */
export class StatusLine {
  private readonly waits: { text: string }[] = [];
  private doing = '';
  private shown = '';

  constructor(private readonly context: Pick<DurableContext, 'status'>) {}

  /** Says what the run does, for display while it does not wait. */
  say(text: string): void {
    this.doing = text;
    this.show();
  }

  /** Begins a wait. */
  wait(): Wait {
    const wait = { text: '' };
    this.waits.push(wait);
    return {
      say: (text) => {
        wait.text = text;
        this.show();
      },
      end: () => {
        this.waits.splice(this.waits.indexOf(wait), 1);
        this.show();
      },
    };
  }

  /** Shows the text for as long as the body takes. */
  async during<T>(text: string, body: () => Promise<T>): Promise<T> {
    const wait = this.wait();
    wait.say(text);
    try {
      return await body();
    } finally {
      wait.end();
    }
  }

  private show(): void {
    const text = this.waits.findLast((wait) => wait.text !== '')?.text ?? this.doing;
    if (text === this.shown || text === '') return;
    this.shown = text;
    this.context.status(text);
  }
}
