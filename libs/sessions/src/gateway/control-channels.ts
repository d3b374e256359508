import type { Signals } from '../ports/signals.js';

/** Names the channels between gateways. */
export interface ControlChannels {
  readonly signals: Signals;
  /** The channel on which all gateways listen. */
  readonly all: string;
  /** The channel of this gateway. */
  readonly own: string;
  /** The channel of a given gateway. */
  readonly of: (gatewayId: string) => string;
}
