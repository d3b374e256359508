import type { Trial } from './events.js';
import type { TaskState } from './state.js';

/** How to run a pass after its process died: first together with the other passes of that process, then alone. */
export function nextTrial({ trials }: TaskState): Trial {
  return trials.together || trials.alone > 0 ? 'alone' : 'together';
}
