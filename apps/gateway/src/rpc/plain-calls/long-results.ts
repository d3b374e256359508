/**
 * Gives a long result in parts to clients that would show all of it to their model, or cut it off without a word. The answer to the call is
 * the first part, with a link to the second one, and the parts are resources of the task: only its caller can read them, and they are gone
 * with it. Which part is which follows from the setting alone, so every gateway finds the same ones.
 */
import { changedRegistry, defineResourceTemplate, type Feature, type FeatureRegistry } from '@longhaul/mcp-features';
import { isJsonObject, type JsonObject, type TaskId, TaskError } from '@longhaul/tasks';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { callOf } from '../features/request-context.js';
import type { Call } from '../method.js';
import { READS_RESULT, type ScopedTasks } from '../tasks/scoped-tasks.js';

const WHOLE = 'longhaul://tasks/{taskId}/result';
const PART = 'longhaul://tasks/{taskId}/result/{part}';
const MIME_TYPE = 'text/plain';
const LAST_OF_ONE_UNIT = 0xffff;
const NUMBER = /^[1-9]\d{0,9}$/;

/**
 * A result as it is, or its first part where its texts have more characters. The structured content is left out with them: it says the same,
 * and its schema is listed only to clients that get it.
 *
 * @param characters that a part has at most
 */
export function firstPart(result: JsonObject, taskId: TaskId, characters: number): JsonObject {
  if (!isLong(result, characters)) return result;
  const text = textOf(result);
  const parts = partsOf(text, characters);
  if (parts === 1) return result;
  const { content: _all, structuredContent: _said, ...rest } = result;
  const next = uriOf(taskId, 2);
  const note = `[This is part 1 of ${parts} of the result, which has ${text.length} characters. Read the resource ${next} for the next part${parts > 2 ? `, and so on up to ${uriOf(taskId, parts)}` : ''}.]`;
  const content: ContentBlock[] = [
    { type: 'text', text: partOf(text, 1, characters) },
    { type: 'text', text: note },
    { type: 'resource_link', uri: next, name: 'result-part-2', title: `Part 2 of ${parts} of the result`, mimeType: MIME_TYPE },
  ];
  return { ...rest, content: [...content, ...othersOf(result)] } satisfies CallToolResult as JsonObject;
}

/**
 * The features with the resources of long results, if there are tools that run as tasks. They are in no list: links name them.
 *
 * @param characters that a part has at most; absent: there are none
 */
export function withResultResources(
  registry: FeatureRegistry,
  tasks: Pick<ScopedTasks, 'getOfCall' | 'requireMethod'>,
  characters: number | undefined,
): FeatureRegistry {
  if (characters === undefined) return registry;
  if (!registry.mayChange && registry.tools.every(({ taskSupport }) => taskSupport === 'forbidden')) return registry;
  const textFor = async (taskId: string, { caller, requester }: Call): Promise<string | undefined> => {
    tasks.requireMethod(READS_RESULT[requester.generation], caller);
    try {
      const { outcome } = await tasks.getOfCall(taskId, caller);
      return outcome?.kind === 'result' ? textOf(outcome.result) : undefined;
    } catch (error) {
      // The task of another caller looks like one that does not exist.
      if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
      throw error;
    }
  };
  const whole = defineResourceTemplate({
    uriTemplate: WHOLE,
    name: 'task-result',
    isListed: false,
    read: ({ taskId }, context) => textFor(taskId, callOf(context)),
  });
  const part = defineResourceTemplate({
    uriTemplate: PART,
    name: 'task-result-part',
    isListed: false,
    async read({ taskId, part: number }, context) {
      const text = NUMBER.test(number) ? await textFor(taskId, callOf(context)) : undefined;
      return text === undefined || Number(number) > partsOf(text, characters) ? undefined : partOf(text, Number(number), characters);
    },
  });
  // Another server must not be able to have results read from it.
  const isTaken = (feature: Feature): boolean =>
    feature.kind === 'resource-template' && [WHOLE, PART].some((template) => template === feature.uriTemplate);
  return changedRegistry(registry, (features) => [...features.filter((feature) => !isTaken(feature)), whole, part]);
}

function uriOf(taskId: TaskId, part: number): string {
  return PART.replace('{taskId}', taskId).replace('{part}', String(part));
}

/** Whether it is too long. What is then made of its texts costs more than this. */
function isLong({ content, structuredContent }: JsonObject, characters: number): boolean {
  const length = blocksOf(content).reduce((sum, { text }) => sum + (typeof text === 'string' ? text.length : 0), 0);
  return length > characters || (structuredContent !== undefined && JSON.stringify(structuredContent).length > characters);
}

/** The texts of a result. What is structured is one of them, unless the tool has said it as a text. */
export function textOf({ content, structuredContent }: JsonObject): string {
  const texts = blocksOf(content).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const structured = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  const isSaid = structured === undefined || texts.some((text) => isJsonOf(text, structured));
  return [...texts, ...(isSaid ? [] : [structured])].join('\n');
}

function isJsonOf(text: string, json: string): boolean {
  if (text === json) return true;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false; // It is another text.
  }
}

/** Images, links and the like. */
function othersOf({ content }: JsonObject): ContentBlock[] {
  return blocksOf(content).filter(({ text }) => typeof text !== 'string') as unknown as ContentBlock[];
}

function blocksOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

/** How many parts there are. */
export function partsOf(text: string, characters: number): number {
  const parts = Math.max(1, Math.ceil(text.length / characters));
  // The last part would be empty if all that is left of the text is half of a character.
  return parts > 1 && endOf(text, parts - 1, characters) >= text.length ? parts - 1 : parts;
}

export function partOf(text: string, part: number, characters: number): string {
  return text.slice(endOf(text, part - 1, characters), endOf(text, part, characters));
}

/** Where a part ends, in UTF-16 code units. A character that lies across the border belongs to the part in which it begins. */
function endOf(text: string, part: number, characters: number): number {
  const end = part * characters;
  return (text.codePointAt(end - 1) ?? 0) > LAST_OF_ONE_UNIT ? end + 1 : end;
}
