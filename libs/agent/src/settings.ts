/** Reads the environment variables of the agent. */
import { withoutByteOrderMark } from '@longhaul/runtime/byte-order-mark';
import { readFile } from 'node:fs/promises';
import { ConfigError, parseVariables } from '@longhaul/runtime/environment';
import { JSON_OR_PATH, optionalWholeNumber, settings, text, wholeNumber, yesOrNo } from '@longhaul/runtime/settings';
import { DEFAULT_THREADS_BYTES } from './threads/thread-records.js';
import { z } from 'zod';
import { type AgentLimits, limitsOf } from './loop/agent-limits.js';
import { mergedSampling, operatorSampling } from './model/sampling.js';
import { API_NAMES, endpointUrl, type ModelSettings, namedModels, TOOL_MODES } from './named-models.js';

/** The settings of the agent. */
export interface AgentSettings {
  /** Those that may be used, the default first; none where there is no endpoint. */
  readonly models: readonly ModelSettings[];
  /** The models that are asked, in this order, when another one cannot answer. */
  readonly fallbacks: readonly ModelSettings[];
  /** For `readServers`: the path of a file, or the JSON itself. */
  readonly servers?: string | undefined;
  /** For `readAgents`: the path of a file, or the JSON itself. */
  readonly agents?: string | undefined;
  /** For `readSystemPrompt`. */
  readonly systemPromptFile?: string | undefined;
  /** Whether spans of requests to models have what was said. */
  readonly tracesContent: boolean;
  /** Bytes of all threads of an owner. */
  readonly threadsMaxBytes: number;
  /** Of a run; callers may ask for less. */
  readonly limits: Pick<AgentLimits, 'maxTokens' | 'maxSpend' | 'maxMs'> & Required<Pick<AgentLimits, 'maxRounds' | 'maxListedTools'>>;
}

const DAY_MS = 86_400_000;
const MAX_SYSTEM_PROMPT_BYTES = 1024 * 1024;

const samplingJson = z.string().transform((text, context) => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a JSON object such as {"temperature": 0.2}' });
    return z.NEVER;
  }
  const parsed = operatorSampling.safeParse(json);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', message: [path.join('.'), message].join(': ') });
  return z.NEVER;
});

const variables = settings('agent', {
  LONGHAUL_AGENT_BASE_URL: endpointUrl.optional().meta({
    allowed: 'an `http:` or `https:` URL, up to `/v1`',
    description: "The endpoint of your agent's model. It speaks OpenAI's chat completions, as vLLM, llama.cpp and Ollama do",
  }),
  LONGHAUL_AGENT_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must have no spaces, and only ASCII characters')
    .optional()
    .meta({
      allowed: 'ASCII without spaces',
      description: 'Your key for `LONGHAUL_AGENT_BASE_URL`. Only workers need it',
      readBy: 'worker',
    }),
  LONGHAUL_AGENT_MODEL: text(/^\P{Cc}{1,256}$/u, '1 to 256 characters')
    .optional()
    .describe('The default model: its name at the endpoint, or in `LONGHAUL_AGENT_MODELS`'),
  LONGHAUL_AGENT_MODELS: namedModels.optional().meta({
    allowed: 'JSON: see [models](agent-reference.md#models)',
    description: 'More models, by the names that your callers may use',
  }),
  LONGHAUL_AGENT_API: z
    .enum(API_NAMES, `must be one of ${API_NAMES.join(', ')}`)
    .default('chat')
    .describe('The API of `LONGHAUL_AGENT_BASE_URL`: chat completions, or the [Responses API](agent.md#the-responses-api)'),
  LONGHAUL_AGENT_TOOL_MODE: z
    .enum(TOOL_MODES, `must be one of ${TOOL_MODES.join(', ')}`)
    .default('auto')
    .describe("How a model gets tools: the endpoint's field, the system prompt, or a JSON schema for its answer. `auto` finds out"),
  LONGHAUL_AGENT_TIMEOUT_MS: optionalWholeNumber(1, DAY_MS).describe(
    'How long a model may take for an answer. By default 5 minutes until it begins, and 15 in all',
  ),
  LONGHAUL_AGENT_CONTEXT_TOKENS: optionalWholeNumber(1_000, 100_000_000).describe(
    'The context of models without `contextTokens`. At three quarters, a conversation is summarised. Without it, when the endpoint refuses its length',
  ),
  LONGHAUL_AGENT_SAMPLING: samplingJson.optional().meta({
    allowed: 'JSON such as `{"temperature": 0.2}`: see [sampling](agent-reference.md#sampling)',
    description: 'How models generate, unless you set it for a model or a call',
  }),
  LONGHAUL_AGENT_FALLBACKS: z.string().optional().meta({
    allowed: 'names in `LONGHAUL_AGENT_MODELS`, separated by commas',
    description: 'Models to try, in this order, when one refuses, times out, fails or has no room for the conversation',
  }),
  LONGHAUL_AGENT_THREADS_MAX_BYTES: wholeNumber(65_536, 1024 * 1024 * 1024, DEFAULT_THREADS_BYTES).describe(
    'Bytes of all [threads](agent.md#threads) of a caller',
  ),
  LONGHAUL_AGENT_AGENTS: z.string().optional().meta({
    allowed: JSON_OR_PATH,
    description: '[Agents](agents.md) that clients, `run-agent` and other agents call by their names',
  }),
  LONGHAUL_AGENT_TRACE_CONTENT: yesOrNo.meta({
    description: '`1` puts messages into [spans of requests to models](agent-costs.md#traces), as plain text also with `LONGHAUL_KEYS`',
    readBy: 'worker',
  }),
  LONGHAUL_AGENT_SERVERS: z.string().optional().meta({
    allowed: 'JSON or a path: see [servers](agent-reference.md#servers)',
    description: "Your agent's servers, in the `mcpServers` form of desktop clients",
  }),
  LONGHAUL_AGENT_SYSTEM_PROMPT_FILE: z
    .string()
    .optional()
    .meta({ allowed: 'a path', description: 'A file with your system prompt, at most 1 MiB' }),
  LONGHAUL_AGENT_MAX_ROUNDS: wholeNumber(1, 1_000, limitsOf().maxRounds).describe(
    'The most answers of the model in a run; callers may ask for fewer',
  ),
  LONGHAUL_AGENT_MAX_LISTED_TOOLS: wholeNumber(1, 10_000, limitsOf().maxListedTools).describe(
    'The most tools in a request to the model. With more, it gets fitting ones, and a tool that [finds the others](agent-servers.md#many-tools)',
  ),
  LONGHAUL_AGENT_MAX_TOKENS: optionalWholeNumber(1, 1_000_000_000).describe('The most tokens of a run, read and generated'),
  LONGHAUL_AGENT_MAX_MS: optionalWholeNumber(1, 30 * DAY_MS).describe('The longest time of a run'),
  LONGHAUL_AGENT_MAX_SPEND: text(/^\d{1,9}(\.\d{1,6})?$/, 'a number such as 0.50')
    .transform(Number)
    .optional()
    .describe('The most that a run or conversation may spend, in the currency of your prices; models without a price spend nothing'),
});

const environment = z.object(variables);

type Variables = z.output<typeof environment>;

/** @throws ConfigError naming each wrong variable, what it is (unless it may hold a secret) and what it may be */
export function readSettings(env: NodeJS.ProcessEnv): AgentSettings {
  const data = parseVariables(environment, env);
  const models = modelsOf(data, env);
  return {
    models,
    fallbacks: fallbacksOf(data, models),
    servers: data.LONGHAUL_AGENT_SERVERS,
    agents: data.LONGHAUL_AGENT_AGENTS,
    systemPromptFile: data.LONGHAUL_AGENT_SYSTEM_PROMPT_FILE,
    tracesContent: data.LONGHAUL_AGENT_TRACE_CONTENT,
    threadsMaxBytes: data.LONGHAUL_AGENT_THREADS_MAX_BYTES,
    limits: {
      maxRounds: data.LONGHAUL_AGENT_MAX_ROUNDS,
      maxListedTools: data.LONGHAUL_AGENT_MAX_LISTED_TOOLS,
      ...(data.LONGHAUL_AGENT_MAX_TOKENS !== undefined && { maxTokens: data.LONGHAUL_AGENT_MAX_TOKENS }),
      ...(data.LONGHAUL_AGENT_MAX_SPEND !== undefined && { maxSpend: data.LONGHAUL_AGENT_MAX_SPEND }),
      ...(data.LONGHAUL_AGENT_MAX_MS !== undefined && { maxMs: data.LONGHAUL_AGENT_MAX_MS }),
    },
  };
}

/** The system prompt of the operator, if there is one. @throws ConfigError if the file cannot be read or is too large */
export async function readSystemPrompt({ systemPromptFile: path }: Pick<AgentSettings, 'systemPromptFile'>): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const refusal = (why: string): ConfigError => new ConfigError(`LONGHAUL_AGENT_SYSTEM_PROMPT_FILE=${path}: ${why}`);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refusal(`cannot be read (${error.code ?? error.message})`);
  });
  if (Buffer.byteLength(text) > MAX_SYSTEM_PROMPT_BYTES) throw refusal(`must have at most ${MAX_SYSTEM_PROMPT_BYTES} bytes`);
  return withoutByteOrderMark(text);
}

/** @throws ConfigError for a name that is none */
function fallbacksOf({ LONGHAUL_AGENT_FALLBACKS: names = '' }: Variables, models: readonly ModelSettings[]): readonly ModelSettings[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const model = models.find((each) => each.name === name);
      if (model === undefined) throw new ConfigError(`LONGHAUL_AGENT_FALLBACKS: ${name} must be a name in LONGHAUL_AGENT_MODELS`);
      return model;
    });
}

function modelsOf(data: Variables, env: NodeJS.ProcessEnv): readonly ModelSettings[] {
  const { LONGHAUL_AGENT_BASE_URL: baseUrl, LONGHAUL_AGENT_API_KEY: apiKey, LONGHAUL_AGENT_MODEL: name } = data;
  const timeoutMs = data.LONGHAUL_AGENT_TIMEOUT_MS;
  const contextTokens = data.LONGHAUL_AGENT_CONTEXT_TOKENS;
  const common = {
    api: data.LONGHAUL_AGENT_API,
    mode: data.LONGHAUL_AGENT_TOOL_MODE,
    sampling: mergedSampling(data.LONGHAUL_AGENT_SAMPLING),
    ...(timeoutMs !== undefined && { timeouts: { firstByteMs: timeoutMs, totalMs: timeoutMs } }),
  };
  const named = (data.LONGHAUL_AGENT_MODELS ?? []).map(
    ([name, { model = name, apiKeyEnv, price, contextTokens: own, sampling, ...endpoint }]): ModelSettings => {
      const ofEnvironment = {
        get apiKey() {
          const key = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
          if (apiKeyEnv !== undefined && (key ?? '') === '')
            throw new ConfigError(`LONGHAUL_AGENT_MODELS: ${name}.apiKeyEnv: ${apiKeyEnv} is not set`);
          return key;
        },
      };
      return {
        name,
        endpoint: Object.assign(ofEnvironment, common, { model, sampling: mergedSampling(common.sampling, sampling) }, endpoint),
        price,
        contextTokens: own ?? contextTokens,
      };
    },
  );
  const chosen = named.find((model) => model.name === name);
  if (chosen !== undefined) return [chosen, ...named.filter((model) => model !== chosen)];
  if (baseUrl === undefined) {
    if (name !== undefined && named.length > 0)
      throw new ConfigError(`LONGHAUL_AGENT_MODEL=${name}: must be a name in LONGHAUL_AGENT_MODELS`);
    return named;
  }
  if (name === undefined)
    throw new ConfigError('LONGHAUL_AGENT_MODEL: must be set where LONGHAUL_AGENT_BASE_URL is: the model as the endpoint knows it');
  return [{ name, endpoint: { ...common, baseUrl, apiKey, model: name }, contextTokens }, ...named];
}
