/**
 * Gives results that are too large for one message in parts. The answer to the call links to them; they are resources of the task: only
 * its caller can read them, and they are gone with it. Their texts, one after the other, are the JSON of the result.
 */
import { changedRegistry, defineResourceTemplate, type Feature, type FeatureRegistry } from '@longhaul/mcp-features';
import { LARGE_RESULT_PART, type LargeValues, TaskError } from '@longhaul/tasks';
import { callOf } from '../features/request-context.js';
import type { Call } from '../method.js';
import { READS_RESULT, type ScopedTasks } from '../tasks/scoped-tasks.js';

const NUMBER = /^[1-9]\d{0,5}$/;

/**
 * The features with the resources of large results. They are in no list: links name them.
 *
 * @param values absent where there are none
 */
export function withLargeResults(
  registry: FeatureRegistry,
  tasks: Pick<ScopedTasks, 'getOfCall' | 'requireMethod'>,
  values: LargeValues | undefined,
): FeatureRegistry {
  if (values === undefined) return registry;
  if (!registry.mayChange && registry.tools.every(({ taskSupport }) => taskSupport === 'forbidden')) return registry;
  const textOf = async (taskId: string, number: number, { caller, requester }: Call): Promise<string | undefined> => {
    tasks.requireMethod(READS_RESULT[requester.generation], caller);
    try {
      const { view, outcome } = await tasks.getOfCall(taskId, caller);
      const large = outcome?.kind === 'result' ? outcome.large : undefined;
      return large === undefined || number > large.parts ? undefined : await values.part(view.taskId, large, number);
    } catch (error) {
      // The task of another caller looks like one that does not exist.
      if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
      throw error;
    }
  };
  const part = defineResourceTemplate({
    uriTemplate: LARGE_RESULT_PART,
    name: 'task-large-result-part',
    mimeType: 'application/json',
    isListed: false,
    read: async ({ taskId, part: number }, context) => (NUMBER.test(number) ? textOf(taskId, Number(number), callOf(context)) : undefined),
  });
  // Another server must not be able to have results read from it.
  const isTaken = (feature: Feature): boolean => feature.kind === 'resource-template' && feature.uriTemplate === LARGE_RESULT_PART;
  return changedRegistry(registry, (features) => [...features.filter((feature) => !isTaken(feature)), part]);
}
