/**
 * What gateways tell each other: all of them at once where it is not known which one it concerns. A
 * message that gets lost (a gateway that was cut off from Redis) is made up for by looking again: an ended
 * session is noticed at the next keep-alive, an answer at the next look.
 */
import type { Signals } from '@longhaul/sessions';
import type { Unsubscribe } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { z } from 'zod';

const ControlMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session-ended'), sessionId: z.string() }),
  z.object({ type: z.literal('request-cancelled'), sessionId: z.string(), requestId: z.union([z.string(), z.number()]) }),
  z.object({ type: z.literal('request-answered'), sessionId: z.string(), requestId: z.string() }),
]);

/** What a gateway may have to do for another one. */
export type ControlMessage = z.infer<typeof ControlMessage>;

/** What the channels between gateways need. */
export interface ControlDeps {
  readonly signals: Signals;
  readonly gatewayId: string;
  /** The channel on which all gateways listen. */
  readonly channel: string;
  /** The channel of one gateway. */
  readonly channelOf: (gatewayId: string) => string;
  readonly logger: Logger;
}

/** The channels between the gateways. */
export class Control {
  /** Called when a message may have been missed. */
  onMissed: () => void = () => undefined;
  readonly #unsubscribes: Unsubscribe[] = [];

  constructor(
    private readonly deps: ControlDeps,
    private readonly act: (message: ControlMessage) => void,
  ) {}

  async start(): Promise<void> {
    const { signals, channel, channelOf, gatewayId, logger } = this.deps;
    const hear = (text: string | undefined): void => {
      if (text === undefined) return this.onMissed();
      const message = ControlMessage.safeParse(jsonOf(text));
      if (message.success) this.act(message.data);
      else logger.warn('message of another gateway not understood'); // It may be of a later version.
    };
    this.#unsubscribes.push(...(await Promise.all([signals.subscribe(channel, hear), signals.subscribe(channelOf(gatewayId), hear)])));
  }

  /** Acts in this process at once, and in the others when they hear of it. */
  async tell(message: ControlMessage): Promise<void> {
    this.act(message);
    const { signals, channel } = this.deps;
    await signals.publish(channel, JSON.stringify(message));
  }

  /** Has one gateway act, when it hears of it. */
  async tellGateway(gatewayId: string, message: ControlMessage): Promise<void> {
    const { signals, channelOf } = this.deps;
    await signals.publish(channelOf(gatewayId), JSON.stringify(message));
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
