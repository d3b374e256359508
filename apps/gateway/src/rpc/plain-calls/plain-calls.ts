/**
 * Serves clients that do not follow tasks, in all protocol versions: how long their plain calls of durable tools wait, what these are
 * answered with then, and which tools such clients are listed.
 */
import type { DurableTool } from '@longhaul/mcp-features';
import type { Requester } from '@longhaul/sessions/gateway';
import { missingCapabilities, type Outcome, type PendingInput, type TaskId, type TaskView } from '@longhaul/tasks';
import type { Result, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ListedTools } from '../features/lists.js';
import type { Call } from '../method.js';
import { holdsScopes } from '../scopes.js';
import { parseParams } from '../params.js';
import { callParamsSchema } from '../tasks/task-of-call.js';
import { followsTasks } from './follows-tasks.js';
import { answerOf } from '../tasks/outcome.js';
import { firstPart } from './long-results.js';
import { askingOthers, type OthersDeps } from './asking-others.js';
import { handOver } from './hand-over.js';
import { findClient } from './known-clients.js';
import { createLeftCalls, type LeftCalls, type LeftCallsDeps } from './left-calls.js';
import { type CallSigns, SignsOfLife, type WaitingRequest } from './signs-of-life.js';
import { type StandInDeps, standIns, type WaitForTask } from './stand-ins.js';
import { type WaitSettings, waitMsOf } from './waiting-time.js';

/** The parts that plain calls need. */
export interface PlainCallsDeps extends StandInDeps, Omit<OthersDeps, 'standIns' | 'keptQuestions'> {
  /** How long plain calls wait, what they are sent meanwhile, and what becomes of those that are given up. */
  readonly settings: PlainCallSettings;
}

/** The settings of plain calls. With `isBare` they wait for the end of their tasks, and no tool stands in. */
export interface PlainCallSettings
  extends WaitSettings, Pick<LeftCallsDeps, 'isBare' | 'onAbandoned' | 'knownClients'>, Pick<OthersDeps, 'keptQuestions'> {
  /** The characters that a part of a long result has. Absent: a result is given as it is. */
  readonly resultCharacters?: number | undefined;
}

/** The task that a call waits for. */
export interface AwaitedTask {
  /** The called tool, if the call is the one that makes the task. */
  readonly tool?: DurableTool | undefined;
  /** The task as an earlier answer has shown it: a call that asks for it again while nobody has answered waits for a moment only. */
  readonly shown?: TaskView | undefined;
}

/** A call that no longer waits. */
export interface HandedOver {
  readonly requester: Requester;
  /** Whether it is the call of the tool, which must not be made again, and not one that asks for the task. */
  readonly isFirst: boolean;
  /** The call of the tool, if it is known here. */
  readonly call?: Call | undefined;
}

/** What is special for clients that do not follow tasks. */
export interface PlainCalls extends ListedTools {
  /** Until when a call that begins now waits, epoch milliseconds. Nothing: until the end of its task. */
  handOverAt(call: Call, awaited: AwaitedTask): number | undefined;
  /** Begins to send signs of life to a request that waits. */
  begin(request: WaitingRequest): CallSigns;
  /** Whether the call need not wait any longer, because only others can answer what its task asks. @param shown as in `AwaitedTask` */
  waitsForOthers(view: TaskView, requester: Requester, shown?: TaskView): boolean;
  /** What a task waits for that this client cannot be asked, in one line. */
  waitingFor(view: TaskView, requester: Requester): string | undefined;
  /** Lets the task leave its call. @returns the answer to the call, which says what to call next */
  handOver(view: TaskView, waiting: HandedOver): Promise<Result>;
  /** What becomes of calls that nobody waits for any more. */
  readonly left: LeftCalls;
  /** The answer when the task has ended. @param handOverAt until when the call would have waited; nothing for a client that follows tasks */
  answerOf(outcome: Outcome, taskId: TaskId, handOverAt: number | undefined): Result;
  /** Whether the requester is listed a stand-in of that name. */
  hasStandIn(name: string, requester: Requester): boolean;
  /** Calls a stand-in. @param wait how a call of this protocol version waits */
  callStandIn(name: string, args: unknown, call: Call, wait: WaitForTask): Promise<Result>;
  stop(): void;
}

/**
 * How long a call waits for a task whose questions an earlier answer has shown, milliseconds: so a model that asks again at once does not
 * do so all the time. Clients that give up after 5 s must still be answered, because they may not have received the earlier answer.
 */
const UNANSWERED_WAIT_MS = 3_000;

/** The only protocol version in which a listed tool says whether it can be called as a task. */
const WITH_EXECUTION = '2025-11-25';

export function createPlainCalls({ features, settings, linkTo, ...deps }: PlainCallsDeps): PlainCalls {
  const { tasks } = deps;
  const { isBare, knownClients, keptQuestions, resultCharacters } = settings;
  const signs = new SignsOfLife(settings.signOfLifeMs);
  const left = createLeftCalls({ features, tasks, ...settings });
  const tools = standIns(deps);
  const others = askingOthers({ features, keptQuestions, linkTo, standIns: tools });
  const forms = createForms();
  const isServed = (requester: Requester): boolean => !isBare && !followsTasks(requester);
  const isListed = (requester: Requester): boolean => {
    const { capabilities } = requester.client();
    return features.tools.some(
      ({ listing, needs, scopes }) =>
        listing.execution?.taskSupport === 'optional' &&
        missingCapabilities(needs, capabilities).length === 0 &&
        holdsScopes(requester.auth, scopes),
    );
  };
  return {
    handOverAt(call, { tool, shown }) {
      const { requester, scope } = call;
      if (!isServed(requester)) return undefined;
      const client = findClient(knownClients, requester.client());
      const isExtended = client?.progressExtends === true && scope.takesMessages !== false;
      const asksForProgress = isExtended && progressTokenOf(call) !== undefined;
      const waitMs = waitMsOf({ client, asksForProgress, handOverAfterMs: tool?.handOverAfterMs }, settings);
      const isAsking = shown !== undefined && others.askedOfOthersThan(requester, shown).length > 0;
      return Date.now() + (isAsking ? Math.min(waitMs, UNANSWERED_WAIT_MS) : waitMs);
    },
    begin: (request) => signs.begin(request),
    waitsForOthers(view, requester, shown) {
      const isShown = ({ key, askedAt }: PendingInput): boolean =>
        shown?.pendingInputs.some((each) => each.key === key && each.askedAt === askedAt) ?? false;
      return others.askedOfOthersThan(requester, view).some((input) => !isShown(input));
    },
    waitingFor: (view, requester) => others.waitingFor(view, requester),
    async handOver(view, { requester, isFirst, call }) {
      const task = await tasks.detach(view, { because: 'handed-over' });
      if (call !== undefined) await left.note(view, call);
      return handOver(task, isFirst, others.inWords(task, requester, others.askedOfOthersThan(requester, task)));
    },
    left,
    answerOf(outcome, taskId, handOverAt) {
      const result = answerOf(outcome);
      return resultCharacters === undefined || handOverAt === undefined ? result : firstPart(result, taskId, resultCharacters);
    },
    hasStandIn: (name, requester) => others.isOffered(name, requester) && isServed(requester),
    callStandIn: (name, args, call, wait) =>
      tools.call(name, args, call, { wait, inWords: (view, inputs) => others.inWords(view, call.requester, inputs) }),
    listed(page, requester, isFirst) {
      const isPlain = isServed(requester);
      const form = formFor(requester, isPlain);
      const usable = canCallTasks(requester) ? page : page.filter(({ execution }) => execution?.taskSupport !== 'required');
      const shown = usable.map((tool) => forms(tool, form));
      if (!isPlain || !isFirst || !isListed(requester)) return shown;
      return [...shown, ...tools.listings.filter(({ name }) => others.isOffered(name, requester))];
    },
    stop: () => signs.stop(),
  };
}

/** The progress token of a call of a tool. */
export function progressTokenOf({ params }: Call): string | number | undefined {
  return parseParams(callParamsSchema, params)._meta?.progressToken;
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

/** The form of a listed tool. One that is not listed as durable has one. */
function createForms(): (listing: ListedTool, form: Form) => ListedTool {
  const made = new WeakMap<ListedTool, ReturnType<typeof formsOf>>();
  return (listing, form) => {
    if (form === 'whole' || listing.execution === undefined) return listing;
    const forms = made.get(listing) ?? formsOf(listing);
    made.set(listing, forms);
    return forms[form];
  };
}

/** Made once, because lists are asked for often. A call that is handed over has no structured result, which a listed schema promises. */
function formsOf(listing: ListedTool): Readonly<Record<Form, ListedTool>> {
  const { execution: _execution, ...withoutExecution } = listing;
  const { outputSchema: _schema, ...withoutSchema } = listing;
  const { outputSchema: _ofPlain, ...plain } = withoutExecution;
  return { whole: listing, withoutExecution, withoutSchema, plain };
}
