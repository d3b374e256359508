import { completionOf, type FeatureRegistry, type Prompt, resultOrError } from '@longhaul/mcp-features';
import { z } from 'zod';
import type { ContextOf } from './request-context.js';
import { invalidParams } from '../errors.js';
import { checkNeeds } from './check-needs.js';
import type { Method } from '../method.js';
import { parseParams } from '../params.js';

const Params = z.object({
  ref: z.discriminatedUnion('type', [
    z.object({ type: z.literal('ref/prompt'), name: z.string() }),
    z.object({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.object({ name: z.string(), value: z.string() }),
  context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

/** `completion/complete`: the possible values of a prompt's argument or a template's variable. */
export function complete(features: FeatureRegistry, contextOf: ContextOf): Method {
  return {
    name: 'completion/complete',
    kind: 'waits',
    async handle(call) {
      const { ref, argument, context } = parseParams(Params, call.params);
      const { completers, needs } = completedBy(features, ref);
      const what = ref.type === 'ref/prompt' ? `Prompt ${ref.name}` : `Resource ${ref.uri}`;
      checkNeeds(what, needs, call.requester);
      const completer = Object.hasOwn(completers, argument.name) ? completers[argument.name] : undefined;
      if (completer === undefined) return completionOf([]);
      return completionOf(await resultOrError(what, async () => completer(argument.value, context?.arguments ?? {}, contextOf(call))));
    },
  };
}

/** The prompt or template of an argument. */
type Completed = Pick<Prompt, 'completers' | 'needs'>;

/** A resource without a template has nothing to complete. */
function completedBy(features: FeatureRegistry, ref: z.infer<typeof Params>['ref']): Completed {
  if (ref.type === 'ref/prompt') {
    const prompt = features.prompt(ref.name);
    if (prompt === undefined) throw invalidParams(`Prompt ${ref.name} not found`);
    return prompt;
  }
  const template = features.resourceTemplate(ref.uri);
  if (template === undefined && features.findResource(ref.uri) === undefined) throw invalidParams(`Resource template ${ref.uri} not found`);
  return template ?? { completers: {}, needs: [] };
}
