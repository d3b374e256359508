/** Makes features of what a server offers. What it says of them is passed on as it is, but for names and what the operator's file adds. */
import {
  type Completers,
  type Completion,
  defineTool,
  type DurableTool,
  type DurableToolSpec,
  type Feature,
  type InlineTool,
  type Prompt,
  type RequestContext,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from '@longhaul/mcp-features';
import {
  type ConnectedServer,
  exchangesTokens,
  isAllowed,
  isRepeatable,
  type ServerConfig,
  ToolRefused,
  type ToolSettings,
} from '@longhaul/servers';
import { cancelRemoteTasks } from '@longhaul/servers/durable';
import { schemaProblem } from '@longhaul/servers/schema-check';
import { FIELD_LIMITS, type JsonObject, tooLong } from '@longhaul/tasks';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { DEFAULT_MAX_RUNNING } from './call-limits.js';
import { usedDefaults, type UsedDefaults, withDefaults } from './default-arguments.js';
import { durableCall, type DurableCallParts } from './durable-call.js';
import type { ServerDesk } from './deployment/server-desk.js';
import { exportedName, exportedTool, serversOfTool, settingsOfExported } from './exported-name.js';
import { looseSchema } from './loose-schema.js';
import type { QuickRequests } from './quick-requests.js';
import { scopesOf, type ServedTool, servedTool } from './served-tool.js';
import type { SlowTools } from './slow-tools.js';
import type { Snapshot } from './snapshot.js';
import { templateMatch } from './template-match.js';

const TASK_TTL_MS = 24 * 3_600_000;
const POLL_INTERVAL_MS = 1_000;
/** Of a name in a warning, characters. */
const MAX_SHOWN = 200;
const MAX_SHOWN_REFERENCES = 3;
const NO_NEEDS = { needs: [], needsSession: false } as const;
type RawSchema = ListedTool['inputSchema'];

export interface FeatureParts extends DurableCallParts {
  readonly requests: QuickRequests;
  readonly slow: SlowTools;
  readonly desk: Pick<ServerDesk, 'isOff'>;
}

/** Features, and a line about each part that is left out or has another name. */
export interface MadeFeatures {
  readonly features: readonly Feature[];
  readonly warnings: readonly string[];
}

/** Makes the features of one server. */
export function featuresOf(config: ServerConfig, snapshot: Snapshot, parts: FeatureParts): MadeFeatures {
  const made = new Maker(config, snapshot, parts);
  return { features: made.all(), warnings: made.warnings };
}

/** A resource that the server does not list. */
export function resourceNamed(uri: string, config: ServerConfig, snapshot: Snapshot, parts: FeatureParts): Resource {
  return new Maker(config, snapshot, parts).resource({ uri, name: uri });
}

/** The tool of a task, while its server is not known. It is neither listed nor called. */
export function durableToolNamed(name: string, parts: DurableCallParts): DurableTool {
  const [config] = serversOfTool(name, parts.configs, parts.isAlone);
  if (config === undefined) return durableTool(name, { input: { type: 'object' }, task: 'optional' }, parts);
  const settings = settingsOfExported(name, config, parts.isAlone);
  const scopes = scopesOf(config, settings);
  return durableTool(name, { input: { type: 'object' }, task: 'optional', scopes, ...limitsOf(config, settings) }, parts);
}

class Maker {
  readonly warnings: string[] = [];
  readonly #isAlone: boolean;

  constructor(
    private readonly config: ServerConfig,
    private readonly snapshot: Snapshot,
    private readonly parts: FeatureParts,
  ) {
    this.#isAlone = parts.isAlone;
  }

  all(): readonly Feature[] {
    const { tools, prompts, resources, resourceTemplates } = this.snapshot;
    return [
      ...tools
        .filter(({ name }) => isAllowed(name, this.config) && !this.parts.desk.isOff(this.config.name, name))
        .flatMap((tool) => this.#attempt('tool', tool.name, () => this.#tool(tool))),
      ...prompts.flatMap((prompt) => this.#attempt('prompt', prompt.name, () => this.#prompt(prompt))),
      ...resources.flatMap((resource) => this.#attempt('resource', resource.uri, () => this.resource(resource))),
      ...resourceTemplates.flatMap((template) => this.#attempt('resource template', template.uriTemplate, () => this.#template(template))),
    ];
  }

  #attempt<T extends Feature>(kind: string, name: string, make: () => T): T[] {
    try {
      return [make()];
    } catch (error) {
      this.#warn(
        `its ${kind} ${JSON.stringify(name.slice(0, MAX_SHOWN).toWellFormed())} is left out: ${error instanceof Error ? error.message : String(error)}`,
      );
      return [];
    }
  }

  #tool(given: ListedTool): Tool {
    const tool = this.#readable(given);
    const name = exportedTool(this.config, tool.name, this.#isAlone);
    this.#noteName('tool', tool.name, name);
    const refusal = this.parts.grants.refusalOf(this.config, tool.name);
    const served = servedTool(this.config, tool, refusal === undefined);
    const verdict = this.config.pins?.verdict(given) ?? 'approved';
    if (verdict !== 'approved') return this.#unapprovedTool(name, served, verdict);
    if (refusal !== undefined && served.taskSupport !== 'forbidden') return this.#refusedTool(name, served, new Error(refusal));
    const used = usedDefaults(tool, served.settings, this.config);
    const { execution: _execution, ...listed } = { ...served.listed, inputSchema: used.inputSchema, name };
    if (served.taskSupport === 'forbidden') return { ...this.#quickTool(name, served, used), listing: listed };
    const { taskSupport, quickMs } = served;
    const made = durableTool(name, this.#durableSettings(served, used), this.parts);
    // A tool that is nearly always answered within the request is not listed as one for tasks, though it can be called as one.
    const isListed = quickMs === 0 || this.parts.slow.has(this.config.name, tool.name);
    return { ...made, listing: { ...listed, ...(isListed && { execution: { taskSupport } }) } };
  }

  /** With schemas that clients can read. */
  #readable(tool: ListedTool): ListedTool {
    const [input, output] = [looseSchema(tool.inputSchema), tool.outputSchema && looseSchema(tool.outputSchema)];
    const references = [...new Set([...input.references, ...(output?.references ?? [])])];
    if (references.length === 0) return tool;
    const shown = references.slice(0, MAX_SHOWN_REFERENCES).map((each) => JSON.stringify(each.slice(0, MAX_SHOWN).toWellFormed()));
    const more = references.length > shown.length ? ', …' : '';
    this.#warn(
      `its tool ${JSON.stringify(tool.name)} is listed with schemas that allow more, because clients cannot follow ${shown.join(', ')}${more}`,
    );
    return { ...tool, inputSchema: input.schema, ...(output !== undefined && { outputSchema: output.schema }) };
  }

  /** A tool that was approved is still listed, but nothing that its server says of it now. @throws ToolRefused for one that never was */
  #unapprovedTool(name: string, served: ServedTool, verdict: 'changed' | 'unknown'): InlineTool {
    const refused = new ToolRefused(served.config.name, served.listed.name, verdict);
    if (verdict === 'unknown') throw refused;
    return this.#refusedTool(name, served, refused);
  }

  #refusedTool(name: string, { scopes }: ServedTool, refused: Error): InlineTool {
    this.#warn(refused.message);
    const run = (): never => {
      throw refused;
    };
    return defineTool({ name, description: refused.message, input: { type: 'object' }, scopes, run });
  }

  #durableSettings({ listed, config, settings, taskSupport, scopes, quickMs }: ServedTool, used: UsedDefaults): DurableSettings {
    const { requests, grants } = this.parts;
    const hasDefaults = Object.keys(used.defaults).length > 0;
    const call = { config, tool: listed.name, settings, isRepeatable: isRepeatable(listed) };
    return {
      ...limitsOf(config, settings),
      input: used.inputSchema,
      task: taskSupport === 'required' ? 'required' : 'optional',
      scopes,
      problemOf: (args: JsonObject) => schemaProblem(used.inputSchema, args),
      ...(hasDefaults && { complete: (args: JsonObject) => withDefaults(args, used) }),
      ...(exchangesTokens(config) && {
        prepare: async (args: JsonObject, context: RequestContext) => {
          await grants.keep(config, context);
          return args;
        },
      }),
      ...(quickMs > 0 && { attempt: (args, context) => requests.attempt(call, quickMs, withDefaults(args, used), context) }),
    };
  }

  #quickTool(name: string, { listed, config, settings, scopes }: ServedTool, used: UsedDefaults): InlineTool {
    const { requests } = this.parts;
    return defineTool({
      name,
      description: '',
      input: used.inputSchema,
      scopes,
      run: (args: JsonObject, context) =>
        requests.call({ config, tool: listed.name, settings, isRepeatable: isRepeatable(listed) }, withDefaults(args, used), context),
    });
  }

  #prompt(prompt: Snapshot['prompts'][number]): Prompt {
    const name = exportedName(this.config.name, prompt.name, this.#isAlone);
    this.#noteName('prompt', prompt.name, name);
    const names = (prompt.arguments ?? []).map((argument) => argument.name);
    return {
      kind: 'prompt',
      name,
      ...this.#needs,
      listing: { ...prompt, name },
      completers: Object.assign(
        Object.create(null) as Prompt['completers'],
        this.#completers(names, { type: 'ref/prompt', name: prompt.name }),
      ),
      check: (args) => ({ ok: true, value: args ?? {} }),
      get: (args, context) =>
        this.#during(context, ({ client }) =>
          client.client.getPrompt({ name: prompt.name, arguments: args as Record<string, string> }, { signal: context.signal }),
        ),
    };
  }

  resource(resource: Snapshot['resources'][number]): Resource {
    requireShort(resource.uri);
    return {
      kind: 'resource',
      name: resource.name,
      uri: resource.uri,
      ...this.#needs,
      listing: resource,
      read: (uri, context) => this.#read(uri, context),
    };
  }

  #template(template: Snapshot['resourceTemplates'][number]): ResourceTemplate {
    const { uriTemplate } = template;
    requireShort(uriTemplate);
    const isOf = templateMatch(uriTemplate);
    const variables = [...uriTemplate.matchAll(/\{[+#./;?&]?([^}]*)\}/g)].flatMap(([, names = '']) =>
      names.split(',').map((each) => each.replace(/\*$|:\d+$/, '')),
    );
    return {
      kind: 'resource-template',
      name: template.name,
      uriTemplate,
      ...this.#needs,
      isListed: true,
      listing: template,
      completers: Object.assign(
        Object.create(null) as ResourceTemplate['completers'],
        this.#completers(variables, { type: 'ref/resource', uri: uriTemplate }),
      ),
      list: undefined,
      match: (uri) => (isOf(uri) ? {} : undefined),
      read: (_variables, context, uri) => this.#read(uri, context),
    };
  }

  get #needs(): Pick<Resource, 'needs' | 'needsSession' | 'scopes'> {
    return { ...NO_NEEDS, scopes: this.config.scopes ?? [] };
  }

  #read(uri: string, context: RequestContext): ReturnType<Resource['read']> {
    return this.#during(context, ({ client }) => client.client.readResource({ uri }, { signal: context.signal }));
  }

  #completers(names: readonly string[], ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }): Completers {
    if (!this.snapshot.completes) return {};
    const complete = async (
      value: string,
      given: Readonly<Record<string, string>>,
      context: RequestContext,
      name: string,
    ): Promise<Completion> => {
      const params = { ref, argument: { name, value }, context: { arguments: { ...given } } };
      const { completion } = await this.#during(context, ({ client }) => client.client.complete(params, { signal: context.signal }));
      const { values, total, hasMore } = completion;
      return { values, ...(total !== undefined && { total }), ...(hasMore !== undefined && { hasMore }) };
    };
    return Object.fromEntries(names.map((name) => [name, (value, given, context) => complete(value, given, context, name)] as const));
  }

  #during<T>(context: RequestContext, run: (server: ConnectedServer) => Promise<T>): Promise<T> {
    return this.parts.requests.during(this.config, context, run);
  }

  #noteName(kind: string, own: string, name: string): void {
    const isUsual = name === own || name === `${this.config.name}__${own}`;
    if (!isUsual) this.#warn(`its ${kind} ${JSON.stringify(own)} is called ${JSON.stringify(name)}`);
  }

  #warn(line: string): void {
    this.warnings.push(`Server "${this.config.name}": ${line}`);
  }
}

/** @throws RangeError for what no client could send */
function requireShort(uri: string): void {
  const problem = tooLong('its URI', uri, FIELD_LIMITS.uriBytes);
  if (problem !== undefined) throw new RangeError(problem);
}

type DurableSettings = Omit<DurableToolSpec<RawSchema, z.ZodObject>, 'name' | 'description' | 'run'>;

function durableTool(name: string, settings: DurableSettings, parts: DurableCallParts): DurableTool {
  const servers = new Map(parts.configs.map((config) => [config.name, config]));
  return defineTool({
    ...settings,
    name,
    description: '',
    ttlMs: TASK_TTL_MS,
    pollIntervalMs: POLL_INTERVAL_MS,
    run: (args: JsonObject, context) => durableCall(name, args, context, parts),
    cleanUp: (task) =>
      cancelRemoteTasks(task.steps, servers, { connections: parts.pool, keyOf: (config) => parts.grants.ofTask(config, task) }),
  });
}

/** How many of its tasks run at once: of the tool, and of all tools of its server. */
function limitsOf(
  { name, maxRunning = DEFAULT_MAX_RUNNING }: ServerConfig,
  settings: ToolSettings,
): Pick<DurableSettings, 'maxRunning' | 'sharedLimit'> {
  return {
    sharedLimit: { name: `server:${name}`, maxRunning },
    ...(settings.maxRunning !== undefined && { maxRunning: settings.maxRunning }),
  };
}
