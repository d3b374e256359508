/**
 * The messages between gateways. Where the receiver is not known, a message goes to all of them. If a message
 * gets lost (a gateway that was cut off from Redis), the gateway finds its content when it looks again: an ended
 * session at the next keep-alive, an answer at the next look.
 */
import type { ControlChannels } from '@longhaul/sessions/gateway';
import type { Unsubscribe } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { z } from 'zod';

const ControlMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session-ended'), sessionId: z.string() }),
  z.object({ type: z.literal('session-changed'), sessionId: z.string() }),
  z.object({ type: z.literal('request-cancelled'), sessionId: z.string(), requestId: z.union([z.string(), z.number()]) }),
  z.object({ type: z.literal('request-answered'), sessionId: z.string(), requestId: z.string() }),
]);

/** What a gateway may have to do for another one. */
export type ControlMessage = z.infer<typeof ControlMessage>;

/** The channels between the gateways. */
export class Control {
  readonly #unsubscribes: Unsubscribe[] = [];

  /** @param act called with each message, and with nothing when one may have been missed */
  constructor(
    private readonly channels: ControlChannels,
    private readonly logger: Logger,
    private readonly act: (message: ControlMessage | undefined) => void,
  ) {}

  async start(): Promise<void> {
    const { signals, all, own } = this.channels;
    const hear = (text: string | undefined): void => {
      if (text === undefined) return this.act(undefined);
      const message = ControlMessage.safeParse(jsonOf(text));
      if (message.success) this.act(message.data);
      else this.logger.warn('message of another gateway not understood'); // It may be of a later version.
    };
    this.#unsubscribes.push(...(await Promise.all([signals.subscribe(all, hear), signals.subscribe(own, hear)])));
  }

  /** Acts in this process at once, and in the others when they hear of it. */
  async publish(message: ControlMessage): Promise<void> {
    this.act(message);
    const { signals, all } = this.channels;
    await signals.publish(all, JSON.stringify(message));
  }

  /** Has one gateway act, when it hears of it. */
  async publishTo(gatewayId: string, message: ControlMessage): Promise<void> {
    const { signals, of } = this.channels;
    await signals.publish(of(gatewayId), JSON.stringify(message));
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
