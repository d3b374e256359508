/**
 * What all gateways are told at once, because the one that it concerns is not known: rare things only.
 * A message that gets lost (a gateway that was cut off from Redis) is made up for by looking again: an
 * ended session is noticed at the next keep-alive.
 */
import type { Signals, Unsubscribe } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { z } from 'zod';

const ControlMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session-ended'), sessionId: z.string() }),
  z.object({ type: z.literal('request-cancelled'), sessionId: z.string(), requestId: z.union([z.string(), z.number()]) }),
]);

/** What a gateway may have to do for another one. */
export type ControlMessage = z.infer<typeof ControlMessage>;

/** The channel between the gateways. */
export class Control {
  #unsubscribe: Unsubscribe | undefined;

  constructor(
    private readonly deps: { readonly signals: Signals; readonly channel: string; readonly logger: Logger },
    private readonly act: (message: ControlMessage) => void,
  ) {}

  async start(): Promise<void> {
    const { signals, channel, logger } = this.deps;
    this.#unsubscribe = await signals.subscribe(channel, (text) => {
      if (text === undefined) return;
      const message = ControlMessage.safeParse(jsonOf(text));
      if (message.success) this.act(message.data);
      else logger.warn('message of another gateway not understood'); // It may be of a later version.
    });
  }

  /** Acts in this process at once, and in the others when they hear of it. */
  async tell(message: ControlMessage): Promise<void> {
    this.act(message);
    const { signals, channel } = this.deps;
    await signals.publish(channel, JSON.stringify(message));
  }

  stop(): void {
    this.#unsubscribe?.();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
