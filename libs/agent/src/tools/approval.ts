/**
 * Asks a person before a toolbox calls. Questions come one at a time, in the order of the calls, so that an "always" also answers those
 * that wait behind it. The answers are kept only in memory. If `ask` is recorded, like an elicitation of a task, a replay gives the same
 * result.
 */
import { isDeepStrictEqual } from 'node:util';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type { ApprovalPolicy } from '@longhaul/servers';
import { schemaProblem } from '@longhaul/servers/schema-check';
import type { JsonObject } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { argumentsOf } from './call-arguments.js';
import { type AgentTool, serverOf, type Toolbox, type ToolRequest } from './toolbox.js';

/** Of changed arguments that the model is told. */
const MAX_NOTE_BYTES = 4_096;
/** Answers with arguments that do not fit, after which a call is not made. */
const MAX_MISFITS = 5;

/**
 * The answer of a person to a call: this call, each call of the tool for the rest of the task, or no call. Or this call with other
 * arguments, as JSON.
 */
export type Approval = 'once' | 'always' | 'no' | { readonly arguments: string; readonly isAlways: boolean };

/**
 * Asks a person whether a call may be made.
 *
 * @param problem what is wrong with the arguments that the person has given, if it is asked again
 * @throws to end the call with that error, as when the signal is aborted
 */
export type AskApproval = (request: ToolRequest, signal: AbortSignal, problem?: string) => Promise<Approval>;

/** Wraps a toolbox so that calls are asked for as the policy of each tool says; a "no" is an error that the model receives. */
export function withApproval(toolbox: Toolbox, policyOf: (tool: AgentTool) => ApprovalPolicy, ask: AskApproval): Toolbox {
  const approved = new Set<string>();
  const keyOf = ({ server, listed }: AgentTool): string => JSON.stringify([server, listed.name]);
  let lastQuestion: Promise<unknown> = Promise.resolve();

  /** @returns the arguments, if the person has changed them */
  const approve = async (request: ToolRequest, signal: AbortSignal): Promise<JsonObject | undefined> => {
    const { tool } = request;
    if (approved.has(keyOf(tool))) return undefined;
    let problem: string | undefined;
    for (let asked = 0; asked < MAX_MISFITS; asked += 1) {
      const approval = await ask(request, signal, problem);
      if (approval === 'no') break;
      const given = typeof approval === 'string' ? undefined : changedArguments(request, approval.arguments);
      problem = typeof given === 'string' ? given : undefined;
      if (typeof given === 'string') continue;
      if (approval === 'always' || (typeof approval === 'object' && approval.isAlways)) approved.add(keyOf(tool));
      return given;
    }
    throw new Error(`The user does not allow this call of ${tool.name}. Do not repeat it; continue without it.`);
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
        const changed = await question;
        options.onAsk?.(true);
        if (changed !== undefined) {
          options.onEdit?.(changed);
          return noted(changed, () => toolbox.call({ ...request, arguments: changed }, options));
        }
      }
      return toolbox.call(request, options);
    },
  };
}

/** Annotations are a server's own claims: for a server that is not trusted, the policy must be `always`. */
function isAskedFor({ listed }: AgentTool, policy: ApprovalPolicy): boolean {
  return policy === 'always' || (policy === 'writes' && listed.annotations?.readOnlyHint !== true);
}

/** What the person wants instead of the arguments: nothing if it is the same, and a text that says what is wrong with it. */
function changedArguments({ tool, arguments: args }: ToolRequest, text: string): JsonObject | string | undefined {
  const given = text.trim() === '' ? args : argumentsOf(text);
  if (typeof given === 'string') return given;
  return isDeepStrictEqual(given, args) ? undefined : (schemaProblem(tool.listed.inputSchema, given) ?? given);
}

/** The result, or the error, of a call with other arguments, with a note for the model. */
async function noted(changed: JsonObject, call: () => Promise<CallToolResult>): Promise<CallToolResult> {
  const note = `[The user has changed the arguments of this call to ${cutWithNote(JSON.stringify(changed), MAX_NOTE_BYTES)}]`;
  try {
    const result = await call();
    return { ...result, content: [{ type: 'text', text: note }, ...contentOf(result)] };
  } catch (error) {
    throw new Error(`${note}\n${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** A model is shown structured content if there is no text, and now there is one. */
function contentOf({ content, structuredContent }: CallToolResult): CallToolResult['content'] {
  if (content.length > 0 || structuredContent === undefined) return content;
  return [{ type: 'text', text: JSON.stringify(structuredContent) }];
}
