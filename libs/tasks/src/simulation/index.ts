/** Exports the parts for kits with which authors test their tools: tasks that run in memory, without waiting. */
export type { TaskEvent } from '../domain/events.js';
export type { AnswerScript, AskedInput, ScriptedReply } from './scripted-client.js';
export type { ScriptedSignal, SendScripted, SignalScript } from './scripted-signals.js';
export type { SimulatedRun } from './simulated-run.js';
export { type KillPlan, simulateTask, type SimulationOptions, StuckTask } from './simulate-task.js';
export { VirtualClock } from './virtual-clock.js';
export type { KillSide } from './worker-life.js';
export { type RecordedOperation, replayHistory, type ReplayOptions, type ReplayVerdict } from './replay-history.js';
