/**
 * Carries messages between gateways. If the receiver is unknown, a message goes to all of them. A message can be lost if a gateway was cut
 * off from Redis. Then the gateway finds the fact when it looks again: an ended session at the next keep-alive, an answer at the next look.
 */
import type { ControlChannels } from '@longhaul/sessions/gateway';
import type { Unsubscribe } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { z } from 'zod';

const ControlMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session-ended'), sessionId: z.string() }),
  z.object({ type: z.literal('session-changed'), sessionId: z.string() }),
  z.object({
    type: z.literal('request-cancelled'),
    sessionId: z.string(),
    requestId: z.union([z.string(), z.number()]),
    at: z.number(),
    reason: z.string().optional(),
  }),
  z.object({ type: z.literal('request-answered'), sessionId: z.string(), requestId: z.string() }),
]);

/** The tasks that a gateway can have for another one. */
export type ControlMessage = z.infer<typeof ControlMessage>;

/** The channels between the gateways. */
export class Control {
  readonly #unsubscribes: Unsubscribe[] = [];

  /** @param act called with each message, and without one when messages may have been missed */
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

  /** Acts in this process at once, and in the others when they receive the message. */
  async publish(message: ControlMessage): Promise<void> {
    this.act(message);
    const { signals, all } = this.channels;
    await signals.publish(all, JSON.stringify(message));
  }

  /** Makes one gateway act, when it receives the message. */
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
