import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import {
  type AgentEvent,
  type AgentSettings,
  type ChatModel,
  createEndpointModel,
  EndpointMemory,
  type Outcome,
  type PricedModel,
  readSettings,
  readSystemPrompt,
  ThreadError,
  withApproval,
} from '@longhaul/agent';
import { readServers } from '@longhaul/servers';
import { ConfigError } from '@longhaul/runtime/environment';
import { approvalsOf } from '../agent/answers/approval.js';
import { serverHandlers } from '../agent/answers/server-handlers.js';
import { type AgentCommandLine, agentCommandLine } from '../agent/command-line.js';
import { EXIT_CODES } from '../agent/exit-code.js';
import { keptEndpoints } from '../agent/kept-endpoints.js';
import { JsonLines } from '../agent/json-lines.js';
import { loginsOf } from '../agent/logins.js';
import { readOutputSchema } from '../agent/output-schema.js';
import { openTools, type Tools } from '../agent/open-tools.js';
import { wantedServers } from '../agent/servers/wanted-servers.js';
import { keptConversation, listThreads } from '../agent/kept-conversation.js';
import { Session } from '../agent/session.js';
import { Spending } from '../agent/spending.js';
import { askOnce, converse } from '../agent/talk.js';
import { Dialogue } from '../agent/terminal/dialogue.js';
import { type Interrupts, listenForInterrupts } from '../agent/terminal/interrupts.js';
import type { Given } from '../command-line/command.js';
import { type Cleanup, createCleanup } from '../processes/cleanup.js';
import { UserError } from '../user-error.js';
import type { Terminal } from '../terminal.js';

/** Tokens that a server may have the model generate. */
const MAX_SAMPLED_TOKENS = 4_096;

/** Tries of one model call: a waiting person learns soon that the model does not answer. */
const MODEL_TRIES = 3;

/** The output of `--json` when the user leaves before the model was asked. */
const NOTHING_KNOWN: Outcome = {
  outcome: 'cancelled',
  text: 'The user has left.',
  rounds: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  transcript: [],
};

const NAMES = { json: 'json', streamJson: 'stream-json', outputSchema: 'output-schema' } as const;

interface Agent {
  readonly lines: JsonLines;
  readonly spending: Spending;
  readonly commandLine: AgentCommandLine;
  readonly settings: AgentSettings;
  readonly model: ChatModel;
  readonly fallbacks: readonly PricedModel[];
  readonly terminal: Terminal;
  readonly dialogue: Dialogue;
  readonly interrupts: Interrupts;
  readonly cleanup: Cleanup;
}

/**
 * `longhaul agent`: asks a model to answer questions with the tools of MCP servers. Answers go to standard output, everything else to
 * standard error. It ends the servers that it has started.
 *
 * @returns the exit code: see `EXIT_CODES`
 * @throws UserError for an invalid command line or invalid settings, and for a server that does not start
 */
export async function agent(given: Given, terminal: Terminal): Promise<number> {
  const commandLine = agentCommandLine(given);
  const needy = (['json', 'streamJson', 'outputSchema'] as const).find((name) => commandLine[name]);
  if (needy !== undefined && !commandLine.list && commandLine.question === undefined && process.stdin.isTTY)
    throw new UserError(`--${NAMES[needy]} needs a QUESTION (see longhaul agent --help)`, 2);
  const settings = settingsOf(commandLine, terminal.env);
  if (commandLine.list) return listThreads(commandLine, { settings, terminal });
  const memory = new EndpointMemory(keptEndpoints(terminal.env, terminal.cwd));
  const model = modelOf(settings, memory);
  const fallbacks = settings.fallbacks.map((each) => ({ ...each, model: modelOf({ models: [each] }, memory) }));
  const cleanup = createCleanup();
  const interrupts = listenForInterrupts(() => process.exit(EXIT_CODES.cancelled));
  cleanup.add(() => interrupts.dispose());
  const lines = new JsonLines((line) => terminal.out(line));
  const dialogue = new Dialogue({ input: process.stdin, output: process.stdout, errors: process.stderr }, () => interrupts.press());
  cleanup.add(() => dialogue.close());
  try {
    const { maxSpend } = settings.limits;
    const price = settings.models[0]?.price;
    if (maxSpend !== undefined && price === undefined)
      dialogue.say(`LONGHAUL_AGENT_MAX_SPEND limits nothing: ${model.name} has no price in LONGHAUL_AGENT_MODELS`);
    if (settings.agents !== undefined)
      dialogue.say('LONGHAUL_AGENT_AGENTS is not used on a terminal: its agents are tools of a deployment (see docs/agents.md)');
    const spending = new Spending({ maxSpend, price });
    return await talk({ lines, commandLine, settings, model, fallbacks, spending, terminal, dialogue, interrupts, cleanup });
  } catch (error) {
    // Work that leaving interrupts is no failure.
    if (interrupts.leaving.aborted) {
      if (commandLine.json) terminal.out(JSON.stringify(NOTHING_KNOWN));
      if (commandLine.streamJson) lines.end(NOTHING_KNOWN);
      return EXIT_CODES.cancelled;
    }
    throw inOneLine(error);
  } finally {
    for (const failure of await cleanup.run()) terminal.err(`longhaul: while ending: ${String(failure)}`);
  }
}

function settingsOf({ model }: AgentCommandLine, env: NodeJS.ProcessEnv): AgentSettings {
  try {
    return readSettings(model === undefined ? env : { ...env, LONGHAUL_AGENT_MODEL: model });
  } catch (error) {
    throw inOneLine(error);
  }
}

/** An error that the user can fix needs no stack. */
function inOneLine(error: unknown): unknown {
  return error instanceof ConfigError || error instanceof ThreadError || error instanceof RangeError ? new UserError(error.message) : error;
}

function modelOf({ models: [model] }: Pick<AgentSettings, 'models'>, memory: EndpointMemory): ChatModel {
  try {
    if (model !== undefined) return createEndpointModel({ ...model.endpoint, memory });
  } catch (error) {
    // Its key is not set, or cannot be one.
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
  const example = 'such as http://127.0.0.1:8000/v1';
  throw new UserError(`there is no endpoint: set LONGHAUL_AGENT_BASE_URL, ${example} (see docs/agent.md)`, EXIT_CODES.unavailable);
}

async function talk(agent: Agent): Promise<number> {
  const { commandLine, settings, model, fallbacks, spending, terminal, dialogue, interrupts, lines } = agent;
  const { json, streamJson, outputSchema } = commandLine;
  const schema = outputSchema === undefined ? undefined : await readOutputSchema(outputSchema, terminal.cwd);
  const question = commandLine.question ?? (dialogue.canAsk ? undefined : await inputAsQuestion(interrupts.leaving));
  const approvals = approvalsOf(dialogue, commandLine.yes);
  const { toolbox, policyOf, servers } = await toolsOf(agent);
  const session = new Session({
    model,
    toolbox: withApproval(toolbox, policyOf, approvals.ask),
    limits: {
      maxModelTries: MODEL_TRIES,
      ...settings.limits,
      ...(commandLine.maxRounds !== undefined && { maxRounds: commandLine.maxRounds }),
    },
    spending,
    systemPrompt: await readSystemPrompt(settings),
    contextTokens: settings.models[0]?.contextTokens,
    outputSchema: schema,
    servers,
    fallbacks,
    kept: commandLine.thread && (await keptConversation({ ...commandLine, thread: commandLine.thread }, agent)),
  });
  const talk = { session, dialogue, interrupts, approvals };
  if (question !== undefined) {
    if (streamJson) lines.begin(model.name);
    const write = json
      ? (outcome: Outcome) => terminal.out(JSON.stringify(outcome))
      : streamJson
        ? (outcome: Outcome) => lines.end(outcome)
        : undefined;
    const onEvent = streamJson ? (event: AgentEvent) => lines.event(event) : undefined;
    // Text that comes before the check of an answer is not the answer.
    const streams = write === undefined && schema === undefined && (commandLine.stream || dialogue.isWatched);
    return askOnce(talk, question, { write, onEvent, streams });
  }
  const names = toolbox.tools.map(({ name }) => name).join(', ');
  dialogue.say(`${model.name}, with ${names}. Ctrl-C cancels what runs, Ctrl-D leaves.`);
  return converse(talk);
}

async function toolsOf({ commandLine, settings, model, spending, terminal, dialogue, interrupts, cleanup }: Agent): Promise<Tools> {
  const listed =
    settings.servers === undefined
      ? { servers: [], refused: new Map<string, string>(), warnings: [] }
      : await readServers(settings.servers, terminal.env);
  for (const warning of listed.warnings) dialogue.say(warning);
  const roots = (commandLine.roots.length === 0 ? ['.'] : commandLine.roots).map((root) => resolve(terminal.cwd, root));
  const handlers = serverHandlers({
    dialogue,
    model: spending.forServers(model),
    roots,
    approvesAll: commandLine.yes,
    maxSampledTokens: MAX_SAMPLED_TOKENS,
    logins: loginsOf(terminal, { say: dialogue.canAsk ? (line) => dialogue.say(line) : undefined, signal: interrupts.leaving }),
  });
  return openTools(wantedServers(commandLine.servers, listed), { handlers, cleanup, signal: interrupts.leaving });
}

async function inputAsQuestion(leaving: AbortSignal): Promise<string> {
  const question = (await textOf(addAbortSignal(leaving, process.stdin))).trim();
  if (question === '') throw new UserError('there is no question: the input is empty (see longhaul agent --help)', 2);
  return question;
}
