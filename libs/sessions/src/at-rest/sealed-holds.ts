import { ANONYMOUS_OWNER, type PayloadCodec, type Place, PLAIN } from '@longhaul/tasks';
import type { Holds } from '../ports/holds.js';

/** Passes the values of holds through the codec: with the id of another server's session, one could use the session. */
export function sealedHolds(holds: Holds, codec: PayloadCodec): Holds {
  if (codec === PLAIN) return holds;
  return {
    async take(request) {
      const taken = await holds.take(request);
      return taken.value === undefined ? taken : { ...taken, value: await codec.open(taken.value, placeOf(request.name)) };
    },
    async write(of, value) {
      const seal = await codec.sealFor(ANONYMOUS_OWNER);
      return holds.write(of, seal(value, placeOf(of.name)));
    },
    release: (of, unusedMs) => holds.release(of, unusedMs),
  };
}

function placeOf(name: string): Place {
  return { kind: 'hold', id: name, field: 'value' };
}
