import type { Trial } from './events.js';
import type { TaskState } from './state.js';

/** How to run a pass whose process died: first together with the others that it held, then alone. */
export function nextTrial({ trials }: TaskState): Trial {
  return trials.together || trials.alone > 0 ? 'alone' : 'together';
}
