import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool, hasCapability } from '@longhaul/mcp-features';
import type { TaskContext } from '@longhaul/tasks';
import { z } from 'zod';
import { researchReport } from './research-report.js';

/** The stages, in order; each is one durable step. */
const STAGES = ['Gathering sources', 'Analyzing content', 'Synthesizing findings', 'Generating report'] as const;

/** The stage before which an ambiguous query is clarified. */
const CLARIFIED_STAGE = 'Synthesizing findings';

/**
 * A research run of four durable steps that asks its user when the topic is ambiguous.
 *
 * @param stageMs milliseconds that each stage takes
 */
export function simulateResearchQuery(stageMs: number) {
  return defineTool({
    name: 'simulate-research-query',
    title: 'Simulate Research Query',
    description:
      'Simulates a deep research operation that gathers, analyzes, and synthesizes information. ' +
      'Demonstrates MCP task-based operations with progress through multiple stages. ' +
      "If 'ambiguous' is true and client supports elicitation, sends an elicitation request for clarification.",
    input: z.object({
      topic: z.string().describe('The research topic to investigate'),
      ambiguous: z
        .boolean()
        .default(false)
        .describe('Simulate an ambiguous query that requires clarification (triggers input_required status)'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    task: 'optional',
    ttlMs: 300_000,
    pollIntervalMs: 1_000,
    immediateResponse: 'The research has begun. Its report will be the result of this task; continue with something else in the meantime.',
    async run({ topic, ambiguous }, context) {
      let clarification: string | undefined;
      for (const [index, stage] of STAGES.entries()) {
        context.status(`${stage}...`);
        if (stage === CLARIFIED_STAGE && ambiguous && hasCapability(context.client.capabilities, 'elicitation.form')) {
          clarification = await clarify(topic, context);
          context.status(`Continuing with interpretation: "${clarification}"...`);
        }
        await context.step(stage, async ({ signal }) => {
          await wait(stageMs, undefined, { signal });
        });
        context.progress({ progress: index + 1, total: STAGES.length, message: stage });
      }
      return researchReport({ topic, clarification, stages: STAGES });
    },
  });
}

async function clarify(topic: string, context: TaskContext): Promise<string> {
  context.status(`Found multiple interpretations for "${topic}". Requesting clarification...`);
  try {
    return interpretationOf(
      await context.elicit({
        message: `The research query "${topic}" could have multiple interpretations. Please clarify what you're looking for:`,
        requestedSchema: {
          type: 'object',
          properties: {
            interpretation: {
              type: 'string',
              title: 'Clarification',
              description: 'Which interpretation of the topic do you mean?',
              oneOf: interpretationsOf(topic),
            },
          },
          required: ['interpretation'],
        },
      }),
    );
  } catch {
    // The client answered with an error: the report says so, and the research continues.
    return 'technical (default - elicitation unavailable)';
  }
}

function interpretationOf({ action, content }: ElicitResult): string {
  if (action === 'decline') return 'User declined - using default interpretation';
  if (action === 'cancel') return 'User cancelled - using default interpretation';
  const interpretation = content?.['interpretation'];
  return typeof interpretation === 'string' && interpretation !== '' ? interpretation : 'User accepted without selection';
}

function interpretationsOf(topic: string): { const: string; title: string }[] {
  if (topic.toLowerCase().includes('python'))
    return [
      { const: 'programming', title: 'Python programming language' },
      { const: 'snake', title: 'Python snake species' },
      { const: 'comedy', title: 'Monty Python comedy group' },
    ];
  return [
    { const: 'technical', title: 'Technical/scientific perspective' },
    { const: 'historical', title: 'Historical perspective' },
    { const: 'current', title: 'Current events/news perspective' },
  ];
}
