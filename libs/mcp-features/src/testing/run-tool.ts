/** Runs a durable tool to its end, in memory and at once. The engine is the real one; the client, the time and the workers' deaths are the test's. */
import { type CallerAuth, type ClientInfo, declarationOf, type JsonObject, type TaskCreatedData } from '@longhaul/tasks';
import {
  type AnswerScript,
  type KillPlan,
  type SignalScript,
  type SimulatedRun,
  simulateTask,
  VirtualClock,
} from '@longhaul/tasks/simulation';
import { createOwnerContexts } from '@longhaul/sessions';
import { openMemoryStore } from '@longhaul/store-sqlite';
import type { DurableTool } from '../tool.js';
import { whileGuarded } from '../workflow-guard.js';
import { type CalledTools, calledTools } from './called-tools.js';
import { differenceOf } from './compare-runs.js';
import { prepared } from './prepared.js';
import { type ClientScript, scriptOf } from './scripts.js';
import { placeOf, type ToolRun, toolRun } from './tool-run.js';

/** The options of a test. */
export interface RunToolOptions extends ClientScript {
  /** The time at which the task begins, or a clock that steps of the test wait by. Default: the first moment of 2026. */
  readonly clock?: VirtualClock | number | string | Date;
  /**
   * Runs the tool again and again, and each time kills its worker at another moment: before and after each record. It must end like the
   * undisturbed run. Values that also differ between two undisturbed runs, such as an id that a step has drawn, are not compared.
   */
  readonly kills?: boolean;
  /**
   * Signals that come from outside, each at its time: a list, or a function that gets `send` at the beginning of each run, for steps of the
   * test that play the other system. Default: none come.
   */
  readonly signals?: SignalScript;
  /** Who its creator is by its token. Default: callers need no authentication. */
  readonly auth?: CallerAuth;
  /** The client. Default: one of revision 2025-11-25 that can be asked for everything. */
  readonly client?: Partial<ClientInfo>;
  /**
   * The tools that it may call with `context.call`: a list of real ones, or an object that has a tool or a result for each name. They run in
   * the same simulation, and `kills` kills their workers too.
   */
  readonly tools?: CalledTools;
  /** Called before each run: puts back what the steps of the test change. */
  readonly before?: () => unknown;
  /**
   * Called after each run that has a result, with that run. With `kills`, nothing else sees whether a step that ran again has changed
   * something twice: look at it here.
   */
  readonly after?: (run: ToolRun) => unknown;
  /** How long a step may await something real before the clock continues, milliseconds. Default 1,000. */
  readonly patienceMs?: number;
  /**
   * How long the code may run without yielding, milliseconds. Default 15,000, after which a worker is ended. A loop that never ends ends the
   * process, with an error on standard error that has its stack. Only in the main thread of a process, without a debugger.
   */
  readonly maxBlockMs?: number;
}

const OWNER = 'tester';
const DAY_MS = 86_400_000;
const PATIENCE_MS = 1_000;
/** The default of LONGHAUL_MAX_BLOCK_MS of workers. */
const MAX_BLOCK_MS = 15_000;
const CAPABILITIES = declarationOf(['elicitation.form', 'elicitation.url', 'sampling.tools', 'sampling.context', 'roots']);

/**
 * Runs a durable tool as a task.
 *
 * @param input the arguments, as a client sends them
 * @returns the undisturbed run
 * @throws ToolFailure when the task ends with a JSON-RPC error, such as the reason `NONDETERMINISM`. An Error that names operation and
 * position when a killed run behaved differently. TypeError when the test has no answer to a question of the tool. `StuckTask` when it
 * waits for something that never comes.
 */
export async function runTool(tool: DurableTool, input: JsonObject = {}, options: RunToolOptions = {}): Promise<ToolRun> {
  requireDurable(tool);
  const test = new ToolTest(tool, input, options);
  const run = await test.run();
  if (options.kills === true) await test.kill(run);
  return toolRun(test.what, run, test);
}

function requireDurable(tool: DurableTool): void {
  if ((tool as Partial<DurableTool>).workflow === undefined)
    throw new TypeError(
      `Tool "${tool.name}" is no durable one (task is neither "optional" nor "required"): call it with tool.call(args, fakeRequest()).`,
    );
}

class ToolTest {
  readonly what: string;
  readonly warnings: string[] = [];
  private readonly again = new Set<string>();
  private readonly clock: VirtualClock;

  constructor(
    private readonly tool: DurableTool,
    private readonly input: JsonObject,
    private readonly options: RunToolOptions,
  ) {
    const { clock } = options;
    this.what = `Tool "${tool.name}"`;
    this.clock = clock instanceof VirtualClock ? clock : new VirtualClock(clock);
  }

  /** Steps that ran more often in a run with a kill. */
  get ranAgain(): readonly string[] {
    return [...this.again];
  }

  /** One run, perhaps with a kill. @param place of the kill */
  async run(kill?: KillPlan, place?: string): Promise<SimulatedRun> {
    const { before, after } = this.options;
    await before?.();
    this.clock.restart();
    const store = openMemoryStore({ clock: this.clock.now });
    try {
      const script = scriptOf(this.what, this.options);
      const task = await this.task(script);
      const run = await whileGuarded(
        ({ message }) => this.warn(message),
        () =>
          simulateTask({
            store,
            sessionValues: store.sessionState,
            owners: createOwnerContexts(store, (error) => this.warn(String(error))),
            clock: this.clock,
            task,
            workflow: this.tool.workflow,
            callable: calledTools(this.tool, this.options.tools),
            script,
            signals: this.options.signals,
            kill,
            patienceMs: this.options.patienceMs ?? PATIENCE_MS,
            maxBlockMs: this.options.maxBlockMs ?? MAX_BLOCK_MS,
            onWarning: (message) => this.warn(message),
          }),
      );
      if (run.outcome.kind === 'result') await after?.(toolRun(this.what, run, this, place));
      return run;
    } finally {
      await store.close();
    }
  }

  /** Kills the worker everywhere. @param reference the undisturbed run */
  async kill(reference: SimulatedRun): Promise<void> {
    const control = await this.run();
    const difference = differenceOf({ reference, other: control });
    if (difference?.isOfStep === false)
      throw new Error(`${this.what} went another way in a second run, which nothing disturbed: ${difference.text}. ${OUTSIDE}`);
    for (const [index] of reference.appends.entries()) {
      await this.killAt({ append: index + 1, side: 'before' }, reference, control);
      await this.killAt({ append: index + 1, side: 'after' }, reference, control);
    }
  }

  private async killAt(kill: KillPlan, reference: SimulatedRun, control: SimulatedRun): Promise<void> {
    const place = placeOf(kill, reference);
    const killed = `${this.what}, whose worker was killed ${place}`;
    const other = await this.run(kill, place).catch((cause: unknown) => {
      throw new Error(`${killed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
    for (const [step, times] of other.stepRuns) if (times > (reference.stepRuns.get(step) ?? 0)) this.again.add(step);
    const difference = differenceOf({ reference, other, control });
    if (difference !== undefined)
      throw new Error(`${killed}, went another way: ${difference.text}. ${difference.isOfStep ? AGAIN : OUTSIDE}`);
  }

  private async task(script: AnswerScript): Promise<TaskCreatedData> {
    const client: ClientInfo = {
      generation: '2025-11-25',
      protocolVersion: '2025-11-25',
      capabilities: CAPABILITIES,
      ...this.options.client,
    };
    const { name, ttlMs = DAY_MS, pollIntervalMs = 1_000, maxRunMs, maxWaitMs, budget } = this.tool;
    return {
      tool: name,
      arguments: await prepared(this.tool, this.input, client, script),
      owner: OWNER,
      ...(this.options.auth !== undefined && { auth: this.options.auth }),
      recordOwner: { id: OWNER },
      sessionId: 'session',
      client,
      ttlMs,
      pollIntervalMs,
      ...(maxRunMs !== undefined && { maxRunMs }),
      ...(budget !== undefined && { budget }),
      ...(maxWaitMs !== undefined && { maxWaitMs }),
      progressToken: 'test',
    };
  }

  private warn(message: string): void {
    if (this.warnings.includes(message)) return;
    this.warnings.push(message);
    process.emitWarning(message, 'LonghaulWarning');
  }
}

const OUTSIDE = 'Outside of steps a tool depends on nothing but its arguments and its recorded operations.';
const AGAIN =
  'A step runs again if its worker dies before its record, so it has to come to the same then: its idempotencyKey is the same each time.';
