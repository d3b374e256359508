import type { ServerConfig } from '@longhaul/servers';

/** How often it is looked for tools that an operator has approved. */
const LOOK_MS = 2_000;

export interface PinWatchOptions {
  readonly configs: readonly ServerConfig[];
  /** Called with the name of a server when other tools of it are approved than before. */
  readonly onChange: (server: string) => void;
  readonly warn: (line: string) => void;
}

/** Notices while a gateway runs that an operator has approved tools. */
export class PinWatch {
  readonly #versions = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: PinWatchOptions) {}

  /** Looks for the first time, and from now on again and again. Never rejects. */
  async open(): Promise<void> {
    if (this.options.configs.every(({ pins }) => pins?.file === undefined)) return;
    await this.#look();
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const { configs, onChange, warn } = this.options;
    for (const { name, pins } of configs) {
      if (pins === undefined) continue;
      await pins.refresh().catch((error: unknown) => warn(error instanceof Error ? error.message : String(error)));
      const before = this.#versions.get(name);
      this.#versions.set(name, pins.version);
      if (before !== undefined && before !== pins.version) onChange(name);
    }
  }
}
