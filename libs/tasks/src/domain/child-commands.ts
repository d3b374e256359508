/** Defines the commands about the tasks that a task has started. */
import type { Milliseconds } from './milliseconds.js';
import type { JsonObject } from './json.js';
import type { ChildEventData, ChildOutcome } from './child-events.js';
import type { Spending } from './spending.js';
import type { Progress } from './events.js';

type Command<T extends string, Data> = { readonly type: T; readonly at: number; readonly key: string } & Data;

/** The end of a child reaches its parent. */
export type EndChild = Command<'EndChild', { readonly taskId: string; readonly outcome: ChildOutcome; readonly spent?: Spending }>;

/** A question of a child reaches its parent, which asks it in its place. */
export type AskForChild = Command<
  'AskForChild',
  { readonly taskId: string; readonly input: { readonly key: string; readonly method: string; readonly params: JsonObject } }
>;

/** The progress of a child reaches its parent, which shows it as its own. */
export type ReportForChild = Command<'ReportForChild', { readonly taskId: string; readonly report: Progress }>;

/** The commands from outside of a pass. */
export type ChildOutsideCommand = EndChild | AskForChild | ReportForChild;

type PassCommand<T extends string, Data> = Command<T, Data> & { readonly epoch: number };

/** The commands of the worker that runs a pass of the parent. */
export type ChildPassCommand =
  | PassCommand<'StartChild', Omit<ChildEventData['ChildStarted'], 'key'>>
  | PassCommand<'DelayChild', { readonly reason: string; readonly retryAt: Milliseconds }>
  | PassCommand<'ConfirmChild', object>
  | PassCommand<'DetachChild', { readonly taskId: string }>
  | PassCommand<'SettleChild', { readonly outcome: ChildOutcome; readonly taskId?: string }>;

const OF_PASS: Readonly<Record<ChildPassCommand['type'], true>> = {
  StartChild: true,
  DelayChild: true,
  ConfirmChild: true,
  DetachChild: true,
  SettleChild: true,
};

/** Whether it is one of them. */
export function isOfChild<C extends { readonly type: string }>(command: C): command is C & ChildPassCommand {
  return Object.hasOwn(OF_PASS, command.type);
}
