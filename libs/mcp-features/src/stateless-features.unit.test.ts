import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definePrompt } from './define-prompt.js';
import { defineResourceTemplate } from './define-resource-template.js';
import { defineResource } from './define-resource.js';
import { defineSessionJob } from './define-session-job.js';
import { defineTool } from './define-tool.js';
import { statelessFeatures } from './stateless-features.js';

describe('without sessions', () => {
  const plain = [
    defineTool({ name: 'tool', description: '', input: z.object({}), run: () => '' }),
    defineTool({ name: 'durable', description: '', input: z.object({}), task: 'optional', run: async () => '' }),
    definePrompt({ name: 'prompt', description: '', run: () => '' }),
    defineResource({ uri: 'r://1', name: 'resource', read: () => '' }),
    defineResourceTemplate({ uriTemplate: 't://{x}', name: 'template', read: () => '' }),
  ];

  it('features that need nothing are kept, in their order', () => {
    expect(statelessFeatures(plain)).toEqual({ kept: plain, leftOut: [] });
  });

  it('each feature that needs a session or the client is left out, with the reason', () => {
    const asking = defineTool({ name: 'a', description: '', input: z.object({}), needs: ['elicitation.form'], run: () => '' });
    const both = definePrompt({ name: 'b', description: '', needs: ['sampling', 'roots'], needsSession: true, run: () => '' });
    const session = defineResource({ uri: 'c://', name: 'c', needsSession: true, read: () => '' });
    const job = defineSessionJob({ name: 'd', everyMs: 100, run: () => undefined });
    expect(statelessFeatures([asking, ...plain, both, session, job])).toEqual({
      kept: plain,
      leftOut: [
        { feature: asking, reason: "needs the client's elicitation.form" },
        { feature: both, reason: "needs the client's sampling and roots" },
        { feature: session, reason: 'needs a session' },
        { feature: job, reason: 'needs a session' },
      ],
    });
  });
});
