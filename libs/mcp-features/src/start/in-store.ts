/** A starter that works in the store of a deployment, with the settings, the keys and the limits of its gateways. */
import { ownerLimitsOf, type Store, Tenants } from '@longhaul/sessions';
import { openStore } from '@longhaul/store';
import { AuditWriter, createTaskService, type NewEntry, type Outcome, TaskError, type TaskService, taskWebhooks } from '@longhaul/tasks';
import { serviceNamed, standingOf, taskOfService } from '../service-tasks.js';
import type { DurableTool, Tool } from '../tool.js';
import { StarterError } from './errors.js';
import type { StarterOptions, TaskStanding } from './starter.js';
import type { SideSignal, SideStart, SideTask, StarterSide } from './starter-side.js';
import { readSettings, type StoreSettings } from './store-settings.js';

/** @throws StarterError `KEYS_MISSING`; an error with one line that says what to do when the store cannot be opened */
export async function sideInStore(options: StarterOptions): Promise<StarterSide> {
  const { name = 'application', tools = [], settings = process.env, onError = warn } = options;
  const config = readSettings(options, settings);
  const store = await openStore(config, { role: 'gateway', onError });
  const tenants = new Tenants({ config: config.tenants, overrides: store.tenants, onError });
  try {
    await requireKeys(store);
    await tenants.start();
    return new SideInStore(store, tenants, { config, service: serviceNamed(name), tools, onError });
  } catch (error) {
    tenants.stop();
    await store.close();
    throw error;
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

/** What is written without a key into a store that is encrypted would be there in plain. @throws StarterError `KEYS_MISSING` */
async function requireKeys({ dataKeys, keyRing }: Store): Promise<void> {
  if (keyRing !== undefined) return;
  for await (const page of dataKeys.all())
    if (page.length > 0)
      throw new StarterError(
        'KEYS_MISSING',
        'The store is encrypted: give the starter the LONGHAUL_KEYS of the deployment, in its settings.',
      );
}

interface SideSettings {
  readonly config: StoreSettings;
  readonly service: string;
  /** Those that have names here. */
  readonly tools: readonly Tool[];
  readonly onError: (error: unknown) => void;
}

type Act = Pick<NewEntry, 'action' | 'target' | 'details'> & Partial<Pick<NewEntry, 'reason'>>;

class SideInStore implements StarterSide {
  readonly #tasks: TaskService;
  readonly #audit: AuditWriter;

  constructor(
    private readonly store: Store,
    private readonly tenants: Tenants,
    private readonly of: SideSettings,
  ) {
    const { config, onError } = of;
    this.#tasks = createTaskService(store, {
      onError,
      limits: ownerLimitsOf(config.ownerLimits, tenants),
      maxQueued: config.maxQueued,
      // The workers know which of them leave nothing behind.
      cleansUp: () => true,
      withWebhooks: config.webhooks && taskWebhooks(config.webhooks, onError),
    });
    this.#audit = new AuditWriter({ log: store.audit, chain: 'operators', keep: config.auditEntries, onError });
  }

  async start({ tool: given, input, owner, idempotencyKey, ttlMs, priority }: SideStart): Promise<string> {
    const name = typeof given === 'string' ? given : given.name;
    return this.#audited({ action: 'tool.start', target: name, ...(owner !== undefined && { details: { owner } }) }, async () => {
      const tool = this.#toolOf(given);
      const { config, service } = this.of;
      const { maxTtlMs, answersAllowed } = config;
      const made = taskOfService(tool, { service, owner, idempotencyKey, ttlMs, priority, arguments: input, maxTtlMs, answersAllowed });
      if ('problem' in made) throw new StarterError(made.problem.code, made.problem.message);
      return (await this.#tasks.create(made.task)).taskId;
    });
  }

  async read({ taskId, owner }: SideTask): Promise<TaskStanding> {
    return standingOf(await this.#tasks.get(taskId, this.#caller(owner)));
  }

  async untilEnd({ taskId, owner }: SideTask, signal: AbortSignal): Promise<Outcome> {
    const first = await this.#tasks.patiently(() => this.#tasks.getWithOutcome(taskId, this.#caller(owner)), signal);
    for await (const { outcome } of this.#tasks.follow(first, signal)) if (outcome !== undefined) return outcome;
    throw new TaskError('TASK_NOT_FOUND');
  }

  signal({ taskId, owner }: SideTask, { name, value, id }: SideSignal): Promise<boolean> {
    const { service } = this.of;
    return this.#audited({ action: 'signal.send', target: taskId, details: { name } }, () =>
      this.#tasks.signal(taskId, { name, value, id, via: service }, this.#caller(owner)),
    );
  }

  cancel({ taskId, owner }: SideTask, reason: string | undefined): Promise<boolean> {
    return this.#audited({ action: 'task.cancel', target: taskId, ...(reason !== undefined && { reason }) }, async () => {
      try {
        await this.#tasks.cancel(taskId, this.#caller(owner), reason);
        return true;
      } catch (error) {
        if (error instanceof TaskError && error.code === 'TASK_ENDED') return false;
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    this.tenants.stop();
    await this.#audit.close();
    await this.store.close();
  }

  #caller(owner: string | undefined): { readonly owner: string } {
    return { owner: owner ?? this.of.service };
  }

  /** @throws StarterError `NO_SUCH_TOOL`, `NOT_A_TASK` */
  #toolOf(given: DurableTool | string): DurableTool {
    const tool: Tool | undefined = typeof given === 'string' ? this.of.tools.find(({ name }) => name === given) : given;
    if (tool === undefined)
      throw new StarterError(
        'NO_SUCH_TOOL',
        `There is no tool ${JSON.stringify(given)} among the tools of this starter: start the tool itself, or name it in tools of createStarter.`,
      );
    if (tool.taskSupport === 'forbidden')
      throw new StarterError('NOT_A_TASK', `Tool ${tool.name} answers within the request and is no task: give it task: 'optional'.`);
    return tool;
  }

  /** Does something that operators' actions are recorded as, and records it. */
  async #audited<T>(act: Act, work: () => Promise<T>): Promise<T> {
    const record = (outcome: string): void => this.#audit.record({ who: this.of.service, reason: '', ...act, outcome });
    try {
      const result = await work();
      record('done');
      return result;
    } catch (error) {
      record(error instanceof TaskError || error instanceof StarterError ? error.code : 'INTERNAL_ERROR');
      throw error;
    }
  }
}
