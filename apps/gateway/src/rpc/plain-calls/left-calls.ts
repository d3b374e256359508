/**
 * Deals with plain calls that nobody waits for any more: their clients gave them up, or were answered with the task. What the client meant
 * decides whether the task continues. The next call of the same caller that is the same gets the running task, if its tool says that doing
 * it once more adds nothing.
 */
import type { DurableTool, FeatureRegistry } from '@longhaul/mcp-features';
import type { Requester } from '@longhaul/sessions/gateway';
import { TaskError, type TaskView } from '@longhaul/tasks';
import type { Call } from '../method.js';
import { parseParams } from '../params.js';
import { ifThere, type ScopedTasks } from '../tasks/scoped-tasks.js';
import { callParamsSchema, cancelQuietly, isShared } from '../tasks/task-of-call.js';
import { WEBHOOK } from '../tasks/webhook-of-call.js';
import { IDEMPOTENCY_KEY } from '../param-limits.js';
import { type AbandonedCall, continuedBy, type OnAbandoned } from './abandoned-call.js';
import { findClient, type KnownClient } from './known-clients.js';

/** The parts that they need. */
export interface LeftCallsDeps {
  readonly features: FeatureRegistry;
  readonly tasks: ScopedTasks;
  readonly knownClients: readonly KnownClient[];
  readonly onAbandoned: OnAbandoned;
  /** Whether nothing is served but the protocol: an abandoned call is a cancelled one. */
  readonly isBare: boolean;
}

/** How a client gave up its call. */
export interface GivenUp extends Omit<AbandonedCall, 'afterMs' | 'hadLeft'> {
  readonly requester: Requester;
  /** The call, if it is known here. */
  readonly call?: Call | undefined;
  /** When the call began, and when it was given up, epoch milliseconds. @defaultValue the creation of the task, now */
  readonly since?: number | undefined;
  readonly at?: number | undefined;
  /** Whether the protocol says that a closed connection cancels nothing. */
  readonly isOnlyClosed?: boolean;
}

export interface LeftCalls {
  /** Cancels the task of a call that its client gave up, or lets it continue without the call. */
  giveUp(view: TaskView, givenUp: GivenUp): Promise<void>;
  /** Notes that nobody waits for the call any more, whose task continues. */
  note(view: TaskView, call: Call): Promise<void>;
  /** The task that runs for an earlier call which was the same, if nobody waits for that and the tool allows it. */
  running(tool: DurableTool, call: Call): Promise<TaskView | undefined>;
}

export function createLeftCalls({ features, tasks, knownClients, onAbandoned, isBare }: LeftCallsDeps): LeftCalls {
  const note = async (view: TaskView, call: Call): Promise<void> => {
    const tool = features.tool(view.tool);
    if (tool === undefined || tool.taskSupport === 'forbidden' || !mayShare(tool, call)) return;
    const { name, arguments: args = {} } = parseParams(callParamsSchema, call.params);
    try {
      await tasks.patiently(() => tasks.noteLeftCall({ owner: view.owner, tool: name, arguments: args }, view.taskId));
    } catch (error) {
      // Without a note, the same call starts a task of its own, for which there is no room either. The list of tasks has this one.
      if (!(error instanceof TaskError && error.code === 'STORE_FULL')) throw error;
    }
  };
  return {
    note,
    async giveUp(view, { requester, call, since = view.createdAt, at = Date.now(), isOnlyClosed = false, ...how }) {
      if (isBare) return isOnlyClosed ? undefined : cancelQuietly(tasks, view);
      const { name, version } = requester.client();
      const tool = features.tool(view.tool);
      const judgement = {
        client: findClient(knownClients, { name, version }),
        setting: onAbandoned,
        tool: tool?.taskSupport === 'forbidden' ? undefined : tool?.onAbandoned,
      };
      const given = { ...how, afterMs: Math.max(0, at - since), hadLeft: view.detachedAt !== undefined };
      const by = continuedBy(given, judgement) ?? (isOnlyClosed ? 'stream' : undefined);
      if (by === undefined) return cancelQuietly(tasks, view, reasonOf(how));
      const client = [name, version].filter((part) => part !== undefined).join(' ');
      const { reason } = how;
      await tasks.detach(view, { because: 'abandoned', how: how.how, reason, ...(client !== '' && { client }), continuedBy: by });
      if (call !== undefined) await note(view, call);
    },
    async running(tool, call) {
      if (isBare || !mayShare(tool, call)) return undefined;
      const { arguments: args = {}, _meta: meta } = parseParams(callParamsSchema, call.params);
      // A call that names a key or a webhook wants a task of its own.
      if (meta?.[IDEMPOTENCY_KEY] !== undefined || meta?.[WEBHOOK] !== undefined) return undefined;
      const taskId = await tasks.taskOfLeftCall({ owner: call.caller.owner, tool: tool.name, arguments: args });
      const found = taskId === undefined ? undefined : await ifThere(() => tasks.getOfCall(taskId, call.caller));
      return found?.view.endedAt === undefined && found?.view.tool === tool.name ? found.view : undefined;
    },
  };
}

/**
 * Whether a call may get the task of another one: the tool says that it has no further effect, or none at all, and the caller is known.
 * Anonymous callers that share an owner must not get each other's tasks.
 */
function mayShare({ listing: { annotations } }: DurableTool, { requester }: Call): boolean {
  const { idempotentHint, readOnlyHint } = annotations ?? {};
  return (idempotentHint ?? readOnlyHint ?? false) && !isShared(requester);
}

function reasonOf({ how, reason }: Pick<GivenUp, 'how' | 'reason'>): string {
  if (how === 'closed') return 'The client closed the connection of the call.';
  return reason === undefined ? 'The client cancelled the call.' : `The client cancelled the call: ${reason}`;
}
