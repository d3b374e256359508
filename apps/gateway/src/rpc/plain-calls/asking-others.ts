/** Finds the questions that a client cannot be asked, and puts them into words for its model, so that somebody else answers them. */
import type { QuestionLinks, Requester } from '@longhaul/sessions/gateway';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { missingCapabilities, type PendingInput, type QuestionKind, type TaskView } from '@longhaul/tasks';
import { type AnswerWays, questionInOneLine, questionsInWords } from '../../questions/in-words.js';
import { ANSWER_TOOL } from './answer-tool.js';
import { askedOfOthers } from './hand-over.js';
import type { StandIns } from './stand-ins.js';

/** The parts that it needs. */
export interface OthersDeps {
  readonly features: FeatureRegistry;
  /** The kinds of questions that wait for somebody else when a client cannot be asked. */
  readonly keptQuestions: readonly QuestionKind[];
  /** Makes links to the pages of questions. */
  readonly linkTo: QuestionLinks['linkTo'];
  readonly standIns: Pick<StandIns, 'has'>;
}

/** Questions for others than the client. */
export interface AskingOthers {
  /** Whether a client that does not follow tasks has the stand-in. */
  isOffered(name: string, requester: Requester): boolean;
  inWords(view: TaskView, requester: Requester, inputs: readonly PendingInput[]): readonly string[];
  askedOfOthersThan(requester: Requester, view: TaskView): readonly PendingInput[];
  /** The first of these questions in one line, for a client that follows the task. */
  waitingFor(view: TaskView, requester: Requester): string | undefined;
}

export function askingOthers({ features, keptQuestions, linkTo, standIns }: OthersDeps): AskingOthers {
  /** A feature of the same name that the client has takes the place of a stand-in. */
  const isOffered = (name: string, requester: Requester): boolean => {
    // This comes first: every call of a tool asks, and what a client is has to be read for it.
    if (!standIns.has(name)) return false;
    const { capabilities } = requester.client();
    const tool = features.tool(name);
    if (tool !== undefined && missingCapabilities(tool.needs, capabilities).length === 0) return false;
    if (name !== ANSWER_TOOL) return true;
    return keptQuestions.includes('elicitation') && missingCapabilities(['elicitation.form'], capabilities).length > 0;
  };
  const waysFor = (view: TaskView, requester: Requester): AnswerWays => ({
    taskId: view.taskId,
    hasAnswer: isOffered(ANSWER_TOOL, requester),
    hasView: features.tool('task_view') !== undefined && missingCapabilities(['apps'], requester.client().capabilities).length === 0,
    linkTo: (input) => linkTo(view, input),
  });
  const askedOfOthersThan: AskingOthers['askedOfOthersThan'] = (requester, view) =>
    view.pendingInputs.length === 0 ? [] : askedOfOthers(view, requester.client().capabilities);
  return {
    isOffered,
    inWords: (view, requester, inputs) => (inputs.length === 0 ? [] : questionsInWords(inputs, waysFor(view, requester))),
    askedOfOthersThan,
    waitingFor(view, requester) {
      const [input] = askedOfOthersThan(requester, view);
      return input && questionInOneLine(input, linkTo(view, input));
    },
  };
}
