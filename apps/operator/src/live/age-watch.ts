/** Notes how long work and questions wait, for the charts, as long as an operator process runs. Any number of processes may do so. */
import { isStoreError, type OperatorService } from '@longhaul/tasks';

const EVERY_MS = 15_000;

/** Notes at once, and then again and again. */
export class AgeWatch {
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(
    private readonly tasks: Pick<OperatorService, 'noteAges'>,
    private readonly onError: (error: unknown) => void,
  ) {}

  async start(): Promise<void> {
    try {
      await this.tasks.noteAges();
    } catch (error) {
      if (!isStoreError(error)) this.onError(error);
    }
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.start(), EVERY_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
