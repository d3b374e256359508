import type { Signals } from './ports/signals.js';

/** Gives modules of features channels of their own, which begin with the prefix. */
export function featureSignals(signals: Signals, prefix: string): Signals {
  const own = (channel: string): string => `${prefix}:features:${channel}`;
  return {
    publish: (channel, message) => signals.publish(own(channel), message),
    subscribe: (channel, listener) => signals.subscribe(own(channel), listener),
  };
}
