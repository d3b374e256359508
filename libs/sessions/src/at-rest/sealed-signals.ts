import { ANONYMOUS_OWNER, type PayloadCodec, type Place, PLAIN } from '@longhaul/tasks';
import type { Signals } from '../ports/signals.js';

/**
 * Passes the messages of signals through the codec, in their order.
 *
 * @param onError called with a message that cannot be read, which is left out
 */
export function sealedSignals(signals: Signals, codec: PayloadCodec, onError: (error: unknown) => void): Signals {
  if (codec === PLAIN) return signals;
  return {
    async publish(channel, message) {
      const seal = await codec.sealFor(ANONYMOUS_OWNER);
      await signals.publish(channel, seal(message, placeOf(channel)));
    },
    subscribe(channel, listener) {
      let last: Promise<void> = Promise.resolve();
      const hear = async (text: string | undefined): Promise<void> => {
        listener(text === undefined ? undefined : await codec.open(text, placeOf(channel)));
      };
      return signals.subscribe(channel, (text) => {
        last = last.then(() => hear(text)).catch(onError);
      });
    },
  };
}

function placeOf(channel: string): Place {
  return { kind: 'signal', id: channel, field: 'message' };
}
