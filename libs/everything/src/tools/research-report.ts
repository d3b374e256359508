/** The data of a finished research run. */
export interface Research {
  readonly topic: string;
  /** How the ambiguity was settled; absent when there was none. */
  readonly clarification: string | undefined;
  readonly stages: readonly string[];
}

/** The report of a simulated research run, in Markdown. */
export function researchReport({ topic, clarification, stages }: Research): string {
  const title = clarification === undefined ? topic : `${topic} (${clarification})`;
  const parameters = [`- **Topic**: ${topic}`, ...(clarification === undefined ? [] : [`- **Clarification**: ${clarification}`])];
  const path = clarification === undefined ? '`working` → `completed`' : '`working` → `input_required` → `working` → `completed`';
  return [
    `# Research Report: ${title}`,
    ['## Research Parameters', ...parameters].join('\n'),
    [
      '## Synthesis',
      `This research query was processed through ${stages.length} stages:`,
      ...stages.map((stage, index) => `- Stage ${index + 1}: ${stage} ✓`),
    ].join('\n'),
    '---',
    [
      '## How this ran',
      'The call answered at once with a task. A worker ran each stage as a durable step, and every change was appended',
      `to the task's event stream, from which its status was served: ${path}.`,
    ].join('\n'),
    ...(clarification === undefined ? [] : [clarificationSection(clarification)]),
    '*This is a simulated research report.*',
  ].join('\n\n');
}

function clarificationSection(clarification: string): string {
  const outcome = clarification.includes('unavailable')
    ? 'The client could not answer, so a default interpretation was used.'
    : `The answer ("${clarification}") was recorded and the task went on with it.`;
  return [
    '## Clarification',
    'The query was ambiguous, so the task asked its user with `elicitation/create` and waited without holding a worker.',
    outcome,
  ].join('\n');
}
