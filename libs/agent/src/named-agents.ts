/** Reads the operator's list of agents: names under which clients and other agents call them. */
import { withoutByteOrderMark } from '@longhaul/runtime/byte-order-mark';
import { ConfigError } from '@longhaul/runtime/environment';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AgentLimits } from './loop/agent-limits.js';
import { operatorSampling, type OperatorSampling } from './model/sampling.js';

/** An agent of the operator's list. */
export interface NamedAgent {
  /** Of its tool as well. */
  readonly name: string;
  /** What it can do, for those who may call it. */
  readonly description: string;
  /** Its system prompt. */
  readonly instructions?: string | undefined;
  /** A name of the list of models. Absent: the first one. */
  readonly model?: string | undefined;
  /** Names of the list of servers. Absent: all. */
  readonly servers?: readonly string[] | undefined;
  /** The only tools of its servers that it may use; `*` is any text. Absent: all. */
  readonly tools?: readonly string[] | undefined;
  /** The agents that it may call. */
  readonly agents: readonly string[];
  /** The agents that it may hand over to. */
  readonly handoffs: readonly string[];
  readonly sampling?: OperatorSampling | undefined;
  /** In place of the operator's limits for all agents. */
  readonly limits: Pick<AgentLimits, 'maxRounds' | 'maxTokens' | 'maxSpend' | 'maxMs'>;
}

/** What the list may refer to. */
export interface KnownNames {
  readonly models: readonly { readonly name: string }[];
  readonly servers: readonly { readonly name: string }[];
}

/** The name that agents have as a group where tools have a server. */
export const AGENTS = 'agents';

/** What the names begin with under which an agent may hand over. */
export const HANDOFF = 'transfer_to_';

const MAX_AGENTS = 64;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const DAY_MS = 86_400_000;
const NAME = /^(?!transfer_to_)[A-Za-z0-9_-]{1,48}$/;

const names = z.array(z.string()).max(MAX_AGENTS);
const entry = z.strictObject({
  description: z.string().min(1).max(4_096),
  instructions: z
    .string()
    .max(1024 * 1024)
    .optional(),
  model: z.string().optional(),
  servers: z.array(z.string()).optional(),
  tools: z.array(z.string().min(1).max(256)).max(256).optional(),
  agents: names.default([]),
  handoffs: names.default([]),
  sampling: operatorSampling.optional(),
  limits: z
    .strictObject({
      maxRounds: z.exactOptional(z.int().min(1).max(1_000)),
      maxTokens: z.exactOptional(z.int().min(1).max(1_000_000_000)),
      maxSpend: z.exactOptional(z.number().min(0).max(1_000_000_000)),
      maxMs: z.exactOptional(
        z
          .int()
          .min(1)
          .max(30 * DAY_MS),
      ),
    })
    .default({}),
});
const entries = z.record(
  z.string().regex(NAME, 'must be 1 to 48 letters, digits, underscores or dashes, and not begin with transfer_to_'),
  entry,
  'must be an object of agents by their names',
);

/**
 * Reads the agents from a file, or from the JSON itself, which begins with a brace.
 *
 * @throws ConfigError with a line for each mistake. The line names the file, the agent and the field.
 */
export async function readAgents(source: string, known: KnownNames): Promise<readonly NamedAgent[]> {
  if (source.trimStart().startsWith('{')) return parseAgents(source, 'LONGHAUL_AGENT_AGENTS', known);
  const bytes = await readFile(source).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${source}: the file of agents cannot be read (${error.code ?? error.message})`);
  });
  if (bytes.length > MAX_FILE_BYTES) throw new ConfigError(`${source}: the file of agents must have at most ${MAX_FILE_BYTES} bytes`);
  return parseAgents(bytes.toString(), source, known);
}

/** The same for a text that has been read. @param from where it comes from, for messages */
export function parseAgents(text: string, from: string, known: KnownNames): readonly NamedAgent[] {
  let json: unknown;
  try {
    json = JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    throw new ConfigError(`${from}: must be JSON (${(error as Error).message})`);
  }
  const parsed = entries.safeParse(json);
  const mistakes = parsed.success
    ? unknownNames(parsed.data, known)
    : parsed.error.issues.map((issue) => [issue.path.join('.'), messageOf(issue)]);
  if (mistakes.length > 0)
    throw new ConfigError(mistakes.map((mistake) => [from, ...mistake.filter((part) => part !== '')].join(': ')).join('\n'));
  return Object.entries(parsed.data ?? {}).map(([name, agent]) => Object.assign({ name }, agent));
}

/** A wrong name is the issue of the whole record. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}

function unknownNames(agents: z.output<typeof entries>, { models, servers }: KnownNames): string[][] {
  const all = Object.entries(agents);
  const mistakes: string[][] = [];
  if (all.length > MAX_AGENTS) mistakes.push([`there are ${all.length} agents, and at most ${MAX_AGENTS} may be`]);
  if (all.length > 0 && servers.some(({ name }) => name === AGENTS))
    mistakes.push([`no server may be named "${AGENTS}" where there are agents`]);
  const lists = { models: models.map(({ name }) => name), servers: servers.map(({ name }) => name), agents: Object.keys(agents) };
  for (const [name, { model, servers: used = [], agents: called, handoffs }] of all) {
    const check = (field: string, given: readonly string[], list: keyof typeof lists): void => {
      for (const each of given)
        if (!lists[list].includes(each)) mistakes.push([`${name}.${field}`, `there is no "${each}" in the list of ${list}`]);
    };
    check('model', model === undefined ? [] : [model], 'models');
    check('servers', used, 'servers');
    check('agents', called, 'agents');
    check('handoffs', handoffs, 'agents');
  }
  return mistakes;
}
