import type { JsonObject } from '@longhaul/tasks';
import { z } from 'zod';
import type { ServerConfig } from '@longhaul/servers';
import type { EndpointMemory } from '../endpoint/endpoint-memory.js';
import type { NamedAgent } from '../named-agents.js';
import { callSampling } from '../model/sampling.js';
import type { AgentSettings } from '../settings.js';
import { MAX_RESOURCES } from '../servers/resource-tools.js';
import type { ModelTelemetry } from './model-telemetry.js';
import { THREAD_NAME, THREAD_NAME_RULE } from '../threads/thread-names.js';

/** The arguments of a run. Models and servers are names from the operator's lists. */
export type AgentArguments = z.output<ReturnType<typeof agentInput>>;

/** The schema of the arguments, with the names and the caps of the operator. */
export function agentInput({ settings: { models, limits }, servers, agents = [] }: RunAgentOptions) {
  const oneOf = (names: readonly string[], what: string): z.ZodType<string> =>
    names.length === 0 ? z.never(`the operator has set no ${what}`) : z.enum(names as [string, ...string[]]);
  const model = oneOf(
    models.map(({ name }) => name),
    'models',
  );
  const server = oneOf(
    servers.map(({ name }) => name),
    'servers',
  );
  const agent = oneOf(
    agents.map(({ name }) => name),
    'agents',
  );
  const called = {
    agents: z.array(agent).max(agents.length).optional().describe('The agents that may be called; if not set, all'),
  };
  return z.object({
    prompt: z.string().min(1).describe('The task, in words'),
    model: model.optional().describe('The model; if not set, the first one of the operator, or that of the client if there is none'),
    servers: z.array(server).max(servers.length).optional().describe('The servers whose tools may be used; if not set, all'),
    resources: z
      .array(
        z
          .string()
          .max(8_192)
          .regex(/^[^:]+:./s, 'must be the name of a server, ":", and the URI of a resource'),
      )
      .max(MAX_RESOURCES)
      .optional()
      .describe('Resources that the model is given with the prompt, such as "files:file:///notes.md"'),
    use_prompt: z
      .object({ server, name: z.string().min(1), arguments: z.record(z.string(), z.string()).optional() })
      .optional()
      .describe('A prompt of a server, which comes before the prompt'),
    ...(agents.length === 0 ? ({} as typeof called) : called),
    max_rounds: z.int().min(1).max(limits.maxRounds).optional().describe('Most answers of the model'),
    sampling: callSampling.optional().describe('How the model generates; what is absent is up to the operator'),
    thread: z
      .string()
      .regex(THREAD_NAME, THREAD_NAME_RULE)
      .optional()
      .describe('The conversation to continue, or the name of a new one; if not set, nothing is kept'),
    fork: z
      .string()
      .max(80)
      .regex(/^[^@]+@\d{1,6}$/, 'must be the name of a thread, "@", and the number of a question')
      .optional()
      .describe('Begin a new thread with what came before a question, such as "trip@3": the prompt takes its place'),
    output_schema: (z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>)
      .optional()
      .describe('JSON Schema that the answer has to fit'),
  });
}

/** The operator's options for the agent. */
export interface RunAgentOptions {
  readonly settings: Pick<AgentSettings, 'models' | 'fallbacks' | 'limits' | 'threadsMaxBytes'>;
  readonly servers: readonly ServerConfig[];
  readonly systemPrompt?: string | undefined;
  /** The agents that it may call. */
  readonly agents?: readonly NamedAgent[] | undefined;
  /** The agents that it may hand over to. */
  readonly handoffs?: readonly NamedAgent[] | undefined;
  /** The known behaviour of endpoints. @defaultValue that of one run */
  readonly memory?: EndpointMemory | undefined;
  /** Where requests to models are reported. */
  readonly telemetry?: ModelTelemetry | undefined;
  /** Where it is an agent of the operator's list. */
  readonly agent?: NamedAgent | undefined;
}
