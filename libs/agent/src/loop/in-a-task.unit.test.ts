import type { Recordable, TaskContext } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { ModelError } from '../model/model-error.js';
import { memoryToolbox } from '../tools/memory-toolbox.fixture.js';
import type { Toolbox } from '../tools/toolbox.js';
import type { AgentHost } from './agent-host.js';
import type { Outcome } from './outcome.js';
import { answerSchemaQuestion } from './output-schema.js';
import { runAgent } from './run-agent.js';
import { call, calls, scriptedModel } from './scripted-model.fixture.js';

/** The plainest host in a task. */
function taskHost(context: TaskContext): AgentHost {
  return {
    signal: context.signal,
    step: <T>(name: string, body: (signal: AbortSignal) => Promise<T & Recordable<T>>) =>
      context.step<T>(name, ({ signal }) => body(signal)),
    check: (name, question) => context.step(name, async () => answerSchemaQuestion(question)),
    sleep: (name, ms) => context.sleep(name, ms),
    now: () => context.now(),
    report: () => undefined,
  };
}

/** An agent in a task. Its model and tools note their work. */
class AgentInATask {
  readonly done: string[] = [];
  private busy = true;
  /** Called with the number of the current operation, from 1. */
  onDo: (number: number) => void = () => undefined;

  readonly engine = new Engine((context) => {
    const host = taskHost(context);
    const limits = { maxMs: 3_600_000, maxTokens: 1_000_000 };
    return runAgent({ model: this.model, toolbox: this.toolbox(context), host, history: [], prompt: 'Go', limits });
  });

  private get model() {
    return scriptedModel([
      async ({ messages }) => {
        const round = messages.filter(({ role }) => role === 'assistant').length + 1;
        this.note(`model ${round}`);
        if (round === 3 && this.busy) {
          this.busy = false;
          throw new ModelError('RATE_LIMITED', 'Too many', 5_000);
        }
        return round < 5 ? calls(call('slow', { round }), call('quick', { round }), call('nothing')) : { content: 'Done.' };
      },
    ]);
  }

  private toolbox(context: TaskContext): Toolbox {
    const inner = memoryToolbox({ slow: {}, quick: {} });
    return {
      tools: inner.tools,
      call: (request, options) =>
        context.step(`tool ${request.id}`, async () => {
          this.note(`tool ${request.id}`);
          if (request.tool.name === 'slow') await new Promise((resolve) => setTimeout(resolve, 2));
          return inner.call(request, options);
        }),
    };
  }

  private note(what: string): void {
    this.done.push(what);
    this.onDo(this.done.length);
  }
}

describe('an agent in a task', () => {
  it('ends with the same transcript in each call that its worker may die in, and repeats nothing that is recorded', async () => {
    const undisturbed = new AgentInATask();
    const undisturbedId = await undisturbed.engine.create();
    await undisturbed.engine.settle();
    const expected = (await undisturbed.engine.value(undisturbedId)) as Outcome;
    expect(expected).toMatchObject({ outcome: 'answered', rounds: 5 });
    expect(undisturbed.done).toHaveLength(5 + 1 + 8);

    for (let deathAt = 1; deathAt <= undisturbed.done.length; deathAt += 1) {
      const agent = new AgentInATask();
      const id = await agent.engine.create();
      // After the wait for the model, another pass begins.
      if (deathAt > 7) await agent.engine.deliver();
      let isDead = false;
      const job = await agent.engine.crashing((crash) => {
        agent.onDo = (number) => {
          if (number !== deathAt) return;
          isDead = true;
          crash();
        };
      });
      expect(isDead).toBe(true);
      await agent.engine.redeliver(job);
      await agent.engine.settle();
      const outcome = (await agent.engine.value(id)) as Outcome;
      expect(outcome.transcript, `death in ${agent.done[deathAt - 1]}`).toEqual(expected.transcript);
      expect(agent.engine.errors).toEqual([]);
      // The calls that ran side by side when it died were not recorded.
      expect(agent.done.length - undisturbed.done.length).toBeLessThanOrEqual(2);
    }
  });
});
