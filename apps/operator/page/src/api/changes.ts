/** Signals that something has changed anywhere in the deployment: views of the whole deployment load again after it. */
import { signal } from '@preact/signals';
import { addressOf } from './client.js';
import { openStream } from './stream.js';

/** Counts changes. */
export const changes = signal(0);

let followers = 0;
let end: (() => void) | undefined;

/** Follows changes while a view needs them; all views share one stream. @returns a function that ends it */
export function followChanges(): () => void {
  followers += 1;
  end ??= openStream({
    address: () => addressOf('overview/events'),
    events: {
      changed: () => {
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
