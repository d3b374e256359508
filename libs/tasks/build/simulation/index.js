export { simulateTask, StuckTask } from './simulate-task.js';
export { VirtualClock } from './virtual-clock.js';
export { replayHistory } from './replay-history.js';
//# sourceMappingURL=index.js.map