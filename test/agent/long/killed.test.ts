/**
 * Tests workers that are killed before, during and after each call of a run. Recorded operations are not repeated, and the run ends like an
 * undisturbed one.
 */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import type { TaskClient, TaskReference } from '@longhaul/client';
import type { JsonObject } from '@longhaul/tasks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Random } from '../../chaos/random.js';
import { KNOWN_CALLER } from '../../client/support/clients.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import type { Process } from '../../support/deployment.js';
import { scaled } from '../../support/scale.js';
import { waitUntil } from '../../support/wait-until.js';
import { AgentDeployment, type AgentAnswer, answerOf, calling, toolResultsOf } from '../support/agent-deployment.js';

const LIMIT_MS = scaled(180_000, 1_200_000);
const WORKERS = 3;
const ROUNDS = 5;
/** The calls of a run, by their steps: one in each round but the last, and two in the third. */
const CALLS = ['call 1', 'call 2', 'call 3', 'call 4', 'call 5'] as const;
const MODELS = Array.from({ length: ROUNDS }, (_, index) => `model ${index + 1}`);

/** Where a worker is killed: while the step is under way, or as soon as it is recorded, which is before the next one. */
interface Blow {
  readonly run: string;
  readonly step: string;
  readonly when: 'during' | 'after';
}

const argument = { run: z.string(), step: z.string() };

/** Everything that happens at the model and at the tools, and the workers that are killed there. */
class Battlefield {
  readonly violations: string[] = [];
  /** How often each tool ran, by run and step. */
  readonly ran = new Map<string, number>();
  readonly tasks = new Map<string, string>();
  kills = 0;
  readonly #workers = new Set<Process>();
  readonly #struck = new Set<Blow>();
  blows: readonly Blow[] = [];
  agent: AgentDeployment | undefined;

  get deployed(): AgentDeployment {
    if (this.agent === undefined) throw new Error('The agent is not deployed.');
    return this.agent;
  }

  async addWorker(): Promise<void> {
    this.#workers.add(await this.deployed.deployment.worker());
  }

  /** A call has come in: it must not be recorded already, unless it is by the reference of its task. Its worker is killed if that is planned. */
  async during(run: string, step: string, isTask = false): Promise<void> {
    const key = `${run}, ${step}`;
    this.ran.set(key, (this.ran.get(key) ?? 0) + 1);
    if (!isTask && (await this.isRecorded(run, step))) this.violations.push(`${key} was made again after its record`);
    const blow = this.blows.find((each) => each.run === run && each.step === step && each.when === 'during' && !this.#struck.has(each));
    if (blow === undefined) return;
    this.#struck.add(blow);
    await this.kill(run);
  }

  /** Kills the worker of a run as soon as the steps are recorded for which that is planned. */
  async afterRecords(run: string): Promise<void> {
    for (const { step, when } of this.blows.filter((blow) => blow.run === run)) {
      if (when === 'during') continue;
      await waitUntil(() => this.isRecorded(run, step), { timeoutMs: LIMIT_MS, description: `${step} of ${run} is recorded` });
      await this.kill(run);
    }
  }

  async killAny(random: Random): Promise<void> {
    await this.#replace(random.pick([...this.#workers]));
  }

  async isRecorded(run: string, step: string): Promise<boolean> {
    const events = await this.deployed.events(this.tasks.get(run) ?? '');
    return events.some(({ type, data }) => type === 'StepCompleted' && (data as { key?: string }).key === step);
  }

  async kill(run: string): Promise<void> {
    const events = await this.deployed.events(this.tasks.get(run) ?? '');
    const claim = events.findLast(({ type }) => type === 'PassStarted')?.data as { workerId?: string } | undefined;
    const worker = [...this.#workers].find(({ child }) => claim?.workerId?.includes(`-${child.pid}-`) === true);
    if (worker !== undefined) await this.#replace(worker);
  }

  async #replace(worker: Process): Promise<void> {
    if (!this.#workers.delete(worker)) return;
    this.kills += 1;
    await worker.kill();
    await this.addWorker();
  }
}

const field = new Battlefield();
const tool = (name: string, annotations: object) =>
  defineTool({
    name,
    description: `Does ${name}`,
    input: z.object(argument),
    annotations,
    run: async ({ run, step }) => {
      await field.during(run, step);
      return `${name} of ${run} has run`;
    },
  });
const remote = serviceForTests({
  features: createFeatureRegistry([
    tool('read', { readOnlyHint: true }),
    tool('put', { idempotentHint: true }),
    tool('add', {}),
    ...['ask', 'ask-and-act'].map((name) =>
      defineTool({
        name,
        description: 'Asks within the call',
        input: z.object(argument),
        annotations: { readOnlyHint: name === 'ask' },
        async run({ run, step }, context) {
          await field.during(run, step);
          const { action } = await context.elicit(z.object({ sure: z.boolean() }), 'Sure?');
          return `${run}: ${action}`;
        },
      }),
    ),
    defineTool({
      name: 'long',
      description: 'Works for a while',
      input: z.object(argument),
      task: 'optional',
      pollIntervalMs: 200,
      async run({ run, step }, context) {
        await context.step('work', () => field.during(run, step, true));
        await context.sleep('a while', 500);
        return `long of ${run} has run`;
      },
    }),
  ]),
});

const planOf = (run: string) => {
  const call = (name: string, step: string): readonly [string, object] => [name, { run, step }];
  return [
    calling(call('newer_read', 'call 1')),
    calling(call('newer_long', 'call 2')),
    calling(call('older_read', 'call 3'), call('newer_put', 'call 4')),
    calling(call('newer_long', 'call 5')),
    { content: 'Done.' },
  ];
};

const between = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}`);
const STRUCK = between(scaled(1, 2) * ROUNDS, 'struck');
const OTHERS = between(scaled(2, 20), 'bystander');

let client: TaskClient;
beforeAll(async () => {
  const url = await remote.listen();
  const server = (protocolVersion: string) => ({
    url,
    protocolVersion,
    ask: 'never',
    headers: KNOWN_CALLER.requestInit.headers,
    idempotencyKeys: ['long'],
  });
  const runs = ['undisturbed', ...STRUCK, ...OTHERS];
  const add = (run: string) => [calling(['newer_add', { run, step: 'call 1' }]), { content: 'Added.' }];
  field.agent = await AgentDeployment.start({
    servers: { newer: server('2026-07-28'), older: server('2025-11-25') },
    plans: {
      ...Object.fromEntries(runs.map((run) => [run, planOf(run)])),
      unknown: add('unknown'),
      known: add('known'),
      asked: [calling(['older_ask', { run: 'asked', step: 'call 1' }]), { content: 'Asked.' }],
      'asked in vain': [calling(['older_ask-and-act', { run: 'asked in vain', step: 'call 1' }]), { content: 'Asked.' }],
    },
    onRequest: (run, round) => field.during(run, `model ${round}`),
  });
  await Promise.all(Array.from({ length: WORKERS }, () => field.addWorker()));
  client = await field.agent.client();
});
afterAll(() => field.agent?.close());

async function run(name: string): Promise<AgentAnswer> {
  const onTask = (reference: TaskReference): void => void field.tasks.set(name, reference.taskId);
  const called = client.callTool('run-agent', { prompt: name }, { onTask });
  await waitUntil(() => field.tasks.has(name), { description: 'it is a task' });
  const [answer] = await Promise.all([called, field.afterRecords(name)]);
  return answerOf(answer);
}

/** A transcript like any run's. */
const plain = ({ transcript }: AgentAnswer, name: string): unknown =>
  JSON.parse(JSON.stringify(transcript).replaceAll(name, 'the run')) as unknown;

describe('a run whose workers are killed', { timeout: LIMIT_MS }, () => {
  it('makes no recorded call again, resumes tasks of servers by their ids, and ends as one that nothing happened to', async () => {
    // Each run is struck at one of the model's calls and at one of the tools': during the one, and right after the other.
    field.blows = STRUCK.flatMap((name, index): Blow[] => {
      const [model = '', call = ''] = [MODELS[index % ROUNDS], CALLS[index % ROUNDS]];
      const [first, second] = index % 2 === 0 ? (['during', 'after'] as const) : (['after', 'during'] as const);
      return [
        { run: name, step: model, when: first },
        { run: name, step: call, when: second },
      ];
    });
    const expected = plain(await run('undisturbed'), 'undisturbed');
    const random = new Random(20_260_728);
    const kills = Array.from({ length: scaled(0, 30) }, (_, index) => index);
    const killing = kills.reduce(async (before) => {
      await before;
      const moment = field.ran.size + random.between(1, 8);
      // oxlint-disable-next-line test-timing/no-short-limit -- at the end of the runs no more calls are made
      await waitUntil(() => field.ran.size >= moment, { timeoutMs: 5_000, description: 'more calls are made' }).catch(() => undefined);
      await field.killAny(random);
    }, Promise.resolve());
    const names = [...STRUCK, ...OTHERS];
    const answers = await Promise.all(names.map((name) => run(name)));
    await killing;
    for (const [index, answer] of answers.entries()) {
      expect(answer).toMatchObject({ outcome: 'answered', rounds: ROUNDS });
      expect(plain(answer, names[index] ?? '')).toEqual(expected);
    }
    expect(field.kills).toBeGreaterThanOrEqual(ROUNDS);
    expect(field.violations).toEqual([]);
    for (const name of names) {
      const events = await field.deployed.events(field.tasks.get(name) ?? '');
      const begun = remote.created.filter(
        ({ tool: called, idempotencyKey = '' }) => called === 'long' && idempotencyKey.startsWith(field.tasks.get(name) ?? ''),
      );
      const followed = events.flatMap(({ type, data }) => {
        const { value } = data as { value?: JsonObject };
        const reference = type === 'StepCompleted' ? (value?.['task'] as { taskId: string } | undefined) : undefined;
        return reference === undefined ? [] : [reference.taskId];
      });
      expect(new Set(followed)).toEqual(new Set(begun.map(({ taskId }) => taskId)));
      expect(followed).toHaveLength(2);
    }
  });

  it('says to the model that nobody knows of a call that may have acted, and does not repeat it', async () => {
    field.blows = [
      { run: 'unknown', step: 'call 1', when: 'during' },
      { run: 'known', step: 'call 1', when: 'after' },
    ];
    // One after the other: a worker that is killed for one run may have the other one as well.
    const unknown = await run('unknown');
    const known = await run('known');
    expect(String(toolResultsOf(unknown)[0])).toContain('It is unknown whether this call of newer_add was carried out');
    expect(toolResultsOf(known)).toEqual(['add of known has run']);
    expect(field.ran.get('unknown, call 1')).toBe(1);
    expect(field.ran.get('known, call 1')).toBe(1);
  });

  it('asks what was asked and answered meanwhile not again, and says to the model where the answer comes too late', async () => {
    field.blows = [];
    const asked: string[] = [];
    const asking = await field.deployed.client({
      onInput: {
        elicitation: async ({ message }, { taskId }) => {
          asked.push(message);
          const name = [...field.tasks].find(([, id]) => id === taskId)?.[0] ?? '';
          await field.kill(name);
          return { action: 'accept', content: { sure: true } };
        },
      },
    });
    const runAsking = async (name: string): Promise<AgentAnswer> => {
      const onTask = (reference: TaskReference): void => void field.tasks.set(name, reference.taskId);
      return answerOf(await asking.callTool('run-agent', { prompt: name }, { onTask }));
    };
    expect(toolResultsOf(await runAsking('asked'))).toEqual(['asked: accept']);
    expect(asked).toEqual(['ask of the server "older" asks: Sure?']);
    expect(field.ran.get('asked, call 1')).toBe(2);
    expect(String(toolResultsOf(await runAsking('asked in vain'))[0])).toContain('It is unknown whether this call');
    expect(field.ran.get('asked in vain, call 1')).toBe(1);
  });
});
