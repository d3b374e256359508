/** Defines features that report to their client: a tool, a prompt and a resource that do the same. */
import {
  createFeatureRegistry,
  definePrompt,
  defineResourceTemplate,
  defineTool,
  type FeatureRegistry,
  type RequestContext,
} from '@longhaul/mcp-features';
import { z } from 'zod';

const REPORTS = {
  progress(context) {
    context.progress(10);
    context.progress(5);
    context.progress(Number.NaN);
    context.progress(Number.POSITIVE_INFINITY);
    context.progress({ progress: 50, message: 'half' });
    context.progress({ progress: 50, total: 80 });
    context.progress(49.9);
    context.progress(100);
  },
  levels(context) {
    context.debug('at debug');
    context.info('at info');
    context.notice('at notice');
    context.warning('at warning');
    context.warn('at warn');
    context.error('at error');
    context.critical('at critical');
    context.alert('at alert');
    context.emergency('at emergency');
  },
  data(context) {
    context.info({ nested: [1, null, true] }, 'reporter');
    context.log('error', 'a text');
    context.error(undefined);
    context.elicitationComplete('e-1');
  },
} satisfies Record<string, (context: RequestContext) => void>;

const names = Object.keys(REPORTS) as [keyof typeof REPORTS, ...(keyof typeof REPORTS)[]];

function report(what: keyof typeof REPORTS, context: RequestContext): string {
  REPORTS[what](context);
  return 'reported';
}

/** Contexts of `late` calls, which have ended. */
export const lateContexts: RequestContext[] = [];

const features = [
  defineTool({
    name: 'report',
    description: 'Reports what it is asked to report',
    input: z.object({ what: z.enum(names) }),
    run: ({ what }, context) => report(what, context),
  }),
  definePrompt({
    name: 'report',
    description: 'Reports what it is asked to report',
    arguments: z.object({ what: z.enum(names) }),
    run: ({ what }, context) => report(what, context),
  }),
  defineResourceTemplate({
    uriTemplate: 'report://{what}',
    name: 'report',
    read: ({ what }, context) => report(what as keyof typeof REPORTS, context),
  }),
  defineTool({
    name: 'late',
    description: 'Leaves its context to the test',
    input: z.object({}),
    run(_args, context) {
      lateContexts.push(context);
      return 'over';
    },
  }),
];

export const reportingFeatures: FeatureRegistry = createFeatureRegistry(features);
