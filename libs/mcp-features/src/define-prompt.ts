import type { GetPromptResult, Prompt as ListedPrompt } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type BoundCompleters, type Completers, completersByName } from './completion.js';
import { checkArguments } from './check-arguments.js';
import { madeOf } from './feature-code.js';
import { type Needs, type StatedNeeds, statedNeeds } from './needs.js';
import { inFeature } from './feature-scope.js';
import type { RequestContext } from './request-context.js';
import { omitUndefined } from './omit-undefined.js';
import type { CheckedArguments } from './tool.js';
import { requireZodObject } from './require-schema.js';

/** The result of a prompt: a full result, its messages, or the text of a message of the user. */
export type PromptReturn = GetPromptResult | GetPromptResult['messages'] | string;

/** A prompt to be defined. */
export interface PromptSpec<Arguments extends z.ZodObject> extends Needs, Pick<ListedPrompt, 'title' | 'icons' | '_meta'> {
  readonly name: string;
  readonly description: string;
  /** Its arguments, which are texts on the wire. Default: none. */
  readonly arguments?: Arguments;
  /** The completions of arguments. */
  readonly complete?: Completers<Extract<keyof z.input<Arguments>, string>>;
  run(args: z.output<Arguments>, context: RequestContext): Promise<PromptReturn> | PromptReturn;
}

/** A defined prompt. */
export interface Prompt extends StatedNeeds {
  readonly kind: 'prompt';
  readonly name: string;
  /** The prompt as `prompts/list` shows it. */
  readonly listing: ListedPrompt;
  readonly completers: BoundCompleters;
  check(args: unknown): CheckedArguments<unknown>;
  /** @param args as `check` returned them */
  get(args: unknown, context: RequestContext): Promise<GetPromptResult>;
}

/** Defines a prompt. @throws TypeError for arguments that are no zod object */
export function definePrompt<Arguments extends z.ZodObject>(spec: PromptSpec<Arguments>): Prompt {
  const { name, description } = spec;
  if (spec.arguments !== undefined) requireZodObject(`Prompt ${name}`, 'arguments', spec.arguments);
  const schema: z.ZodObject = spec.arguments ?? z.object({});
  const prompt: Prompt = {
    kind: 'prompt',
    name,
    ...statedNeeds(spec),
    listing: listingOf(spec),
    completers: completersByName({ kind: 'prompt', name }, spec.complete),
    check: (args) => checkArguments(schema, args ?? {}),
    async get(args, context) {
      const value = await inFeature({ kind: 'prompt', name }, () => spec.run(args as z.output<Arguments>, context));
      return promptResultOf(value, description);
    },
  };
  return madeOf(prompt, spec);
}

function listingOf<Arguments extends z.ZodObject>(spec: PromptSpec<Arguments>): ListedPrompt {
  const { name, title, description, icons, _meta } = spec;
  const fields = Object.entries(spec.arguments?.shape ?? {}) as [string, z.ZodType][];
  const args = fields.map(([field, type]) =>
    omitUndefined({ name: field, description: type.description, required: !type.safeParse(undefined).success }),
  );
  return omitUndefined({ name, title, description, icons, arguments: args.length > 0 ? args : undefined, _meta });
}

/** Converts the return value of a prompt into the result of `prompts/get`; a full result stays as it is. */
function promptResultOf(value: PromptReturn, description: string): GetPromptResult {
  if (typeof value === 'string') return { description, messages: [{ role: 'user', content: { type: 'text', text: value } }] };
  return Array.isArray(value) ? { description, messages: value } : value;
}
