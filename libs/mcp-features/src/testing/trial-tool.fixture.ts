import { z } from 'zod';
import { defineTool, type DurableToolSpec } from '../define-tool.js';
import type { DurableContext } from '../tool.js';

type Run = (context: DurableContext, args: { readonly n?: number | undefined }) => Promise<unknown>;

/** A tool that runs the function. */
export function tool(run: Run, spec: Partial<DurableToolSpec<z.ZodObject, z.ZodObject>> = {}) {
  return defineTool({
    name: 'trial',
    description: 'Tries.',
    task: 'required',
    ...spec,
    input: z.object({ n: z.number().optional() }),
    run: async (args, context) => (await run(context, args)) as string,
  });
}

/** The schema of most of its questions. */
export const Approval = z.object({ approved: z.boolean() });
