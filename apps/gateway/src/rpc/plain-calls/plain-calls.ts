/**
 * Serves clients that do not follow tasks, in all protocol versions: how long their plain calls of durable tools wait, what these are
 * answered with then, and which tools such clients are listed.
 */
import type { Requester } from '@longhaul/sessions/gateway';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { missingCapabilities, type Outcome, type TaskId, type TaskView } from '@longhaul/tasks';
import type { Result, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ListedTools } from '../features/lists.js';
import type { Call } from '../method.js';
import { holdsScopes } from '../scopes.js';
import { followsTasks } from './follows-tasks.js';
import { handOver, waitsForOthers } from './hand-over.js';
import { answerOf } from '../tasks/outcome.js';
import { firstPart } from './long-results.js';
import { type StandInDeps, standIns, type WaitForTask } from './stand-ins.js';

/** The parts that plain calls need. */
export interface PlainCallsDeps extends StandInDeps {
  readonly features: FeatureRegistry;
  /** How long a plain call waits, milliseconds. */
  readonly syncWaitMs: number;
  /** Whether nothing is served but the protocol: plain calls wait for the end of their tasks, and no tool stands in. */
  readonly isBare: boolean;
  /** The characters that a part of a long result has. Absent: a result is given as it is. */
  readonly resultCharacters?: number | undefined;
}

/** What is special for clients that do not follow tasks. */
export interface PlainCalls extends ListedTools {
  /** Until when a plain call that begins now waits, epoch milliseconds. Nothing: until the end of its task. */
  handOverAt(requester: Requester): number | undefined;
  /** Whether the call need not wait any longer, because only others can answer what its task asks. */
  waitsForOthers(view: TaskView, requester: Requester): boolean;
  /** Lets the task leave its call. @returns the answer to the call, which says what to call next */
  handOver(view: TaskView): Promise<Result>;
  /** The answer when the task has ended. @param handOverAt until when the call would have waited; nothing for a client that follows tasks */
  answerOf(outcome: Outcome, taskId: TaskId, handOverAt: number | undefined): Result;
  /** Whether the requester is listed a stand-in of that name. */
  hasStandIn(name: string, requester: Requester): boolean;
  /** Calls a stand-in. @param wait how a call of this protocol version waits */
  callStandIn(name: string, args: unknown, call: Call, wait: WaitForTask): Promise<Result>;
}

/** The only protocol version in which a listed tool says whether it can be called as a task. */
const WITH_EXECUTION = '2025-11-25';

export function createPlainCalls({ features, syncWaitMs, isBare, resultCharacters, ...deps }: PlainCallsDeps): PlainCalls {
  const { tasks } = deps;
  const tools = standIns(deps);
  const added = tools.listings.filter(({ name }) => features.tool(name) === undefined);
  const handedOver = features.tools.filter(({ taskSupport }) => taskSupport === 'optional');
  const durable = features.tools.filter(({ taskSupport }) => taskSupport !== 'forbidden');
  const forms = new Map(durable.map(({ listing }) => [listing, formsOf(listing)]));
  const isServed = (requester: Requester): boolean => !isBare && !followsTasks(requester);
  const isListed = (requester: Requester): boolean => {
    const { capabilities } = requester.client();
    return handedOver.some(
      ({ needs, scopes }) => missingCapabilities(needs, capabilities).length === 0 && holdsScopes(requester.auth, scopes),
    );
  };
  return {
    handOverAt: (requester) => (isServed(requester) ? Date.now() + syncWaitMs : undefined),
    waitsForOthers: (view, requester) => waitsForOthers(view, requester.client().capabilities),
    async handOver(view) {
      const left = await tasks.detach(view, { because: 'handed-over' });
      return handOver(left, view.implicit === true);
    },
    answerOf(outcome, taskId, handOverAt) {
      const result = answerOf(outcome);
      return resultCharacters === undefined || handOverAt === undefined ? result : firstPart(result, taskId, resultCharacters);
    },
    hasStandIn: (name, requester) => tools.has(name) && features.tool(name) === undefined && isServed(requester),
    callStandIn: (name, args, call, wait) => tools.call(name, args, call, wait),
    listed(page, requester, isFirst) {
      const isPlain = isServed(requester);
      const form = formFor(requester, isPlain);
      const usable = canCallTasks(requester) ? page : page.filter(({ execution }) => execution?.taskSupport !== 'required');
      const shown = usable.map((tool) => forms.get(tool)?.[form] ?? tool);
      return isPlain && isFirst && isListed(requester) ? [...shown, ...added] : shown;
    },
  };
}

/** Whether the client can call a tool that must be called as a task: nobody else is listed one. */
function canCallTasks(requester: Requester): boolean {
  return requester.generation === '2026-07-28' ? followsTasks(requester) : requester.protocolVersion === WITH_EXECUTION;
}

/** The forms in which a durable tool is listed. */
type Form = 'whole' | 'withoutExecution' | 'withoutSchema' | 'plain';

function formFor({ protocolVersion }: Requester, isPlain: boolean): Form {
  const knowsExecution = protocolVersion === WITH_EXECUTION;
  if (isPlain) return knowsExecution ? 'withoutSchema' : 'plain';
  return knowsExecution ? 'whole' : 'withoutExecution';
}

/** Made once, because lists are asked for often. A call that is handed over has no structured result, which a listed schema promises. */
function formsOf(listing: ListedTool): Readonly<Record<Form, ListedTool>> {
  const { execution: _execution, ...withoutExecution } = listing;
  const { outputSchema: _schema, ...withoutSchema } = listing;
  const { outputSchema: _ofPlain, ...plain } = withoutExecution;
  return { whole: listing, withoutExecution, withoutSchema, plain };
}
