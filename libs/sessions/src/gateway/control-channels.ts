import type { Signals } from '../ports/signals.js';

/** The channels between gateways. */
export interface ControlChannels {
  readonly signals: Signals;
  /** The one on which all gateways listen. */
  readonly all: string;
  /** That of this gateway. */
  readonly own: string;
  /** That of any gateway. */
  readonly of: (gatewayId: string) => string;
}
