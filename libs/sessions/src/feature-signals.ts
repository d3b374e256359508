import type { Signals } from './ports/signals.js';

/** The channel of a module of features, by its own name for it. */
export function featureChannel(prefix: string, channel: string): string {
  return `${prefix}:features:${channel}`;
}

/** Gives modules of features channels of their own, which begin with the prefix. */
export function featureSignals(signals: Signals, prefix: string): Signals {
  const own = (channel: string): string => featureChannel(prefix, channel);
  return {
    publish: (channel, message) => signals.publish(own(channel), message),
    subscribe: (channel, listener) => signals.subscribe(own(channel), listener),
  };
}
