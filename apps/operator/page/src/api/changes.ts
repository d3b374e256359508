/** That something has changed, anywhere in the deployment: what views that show all of it load again after. */
import { signal } from '@preact/signals';
import { addressOf } from './client.js';
import { openStream } from './stream.js';
import type { Rates } from '../../../src/answers.js';

/** Counts changes. */
export const changes = signal(0);
/** What was created and has ended lately. */
export const rates = signal<Rates | undefined>(undefined);

let followers = 0;
let end: (() => void) | undefined;

/** Follows changes for as long as a view needs them; all share one stream. @returns ends it */
export function followChanges(): () => void {
  followers += 1;
  end ??= openStream({
    address: () => addressOf('overview/events'),
    events: {
      changed: (data) => {
        rates.value = data as Rates;
        changes.value += 1;
      },
    },
  });
  return () => {
    followers -= 1;
    if (followers > 0) return;
    end?.();
    end = undefined;
  };
}
