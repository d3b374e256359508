/**
 * Asks a person before a toolbox calls. Questions come one at a time, in the order of the calls, so that an "always" also answers those
 * that wait behind it. The answers are kept only in memory. If `ask` is recorded, like an elicitation of a task, a replay gives the same
 * result.
 */
import type { ApprovalPolicy } from '@longhaul/servers';
import { type AgentTool, serverOf, type Toolbox, type ToolRequest } from './toolbox.js';

/** The answer of a person to a call: this call, each call of the tool for the rest of the task, or no call. */
export type Approval = 'once' | 'always' | 'no';

/** Asks a person whether a call may be made. @throws to end the call with that error, as when the signal is aborted */
export type AskApproval = (request: ToolRequest, signal: AbortSignal) => Promise<Approval>;

/** Wraps a toolbox so that calls are asked for as the policy of each tool says; a "no" is an error that the model receives. */
export function withApproval(toolbox: Toolbox, policyOf: (tool: AgentTool) => ApprovalPolicy, ask: AskApproval): Toolbox {
  const approved = new Set<string>();
  const keyOf = ({ server, listed }: AgentTool): string => JSON.stringify([server, listed.name]);
  let lastQuestion: Promise<unknown> = Promise.resolve();

  const approve = async (request: ToolRequest, signal: AbortSignal): Promise<void> => {
    const { tool } = request;
    if (approved.has(keyOf(tool))) return;
    const approval = await ask(request, signal);
    if (approval === 'always') approved.add(keyOf(tool));
    if (approval === 'no') throw new Error(`The user does not allow this call of ${tool.name}. Do not repeat it; go on without it.`);
  };

  return {
    get tools() {
      return toolbox.tools;
    },
    call: async (request, options) => {
      const tool = { ...request.tool, server: serverOf(request) };
      if (isAskedFor(tool, policyOf(tool))) {
        options.onAsk?.(false);
        const question = lastQuestion.then(() => approve({ ...request, tool }, options.signal));
        lastQuestion = question.catch(() => undefined);
        await question;
        options.onAsk?.(true);
      }
      return toolbox.call(request, options);
    },
  };
}

/** Annotations are a server's own claims: for a server that is not trusted, the policy must be `always`. */
function isAskedFor({ listed }: AgentTool, policy: ApprovalPolicy): boolean {
  return policy === 'always' || (policy === 'writes' && listed.annotations?.readOnlyHint !== true);
}
