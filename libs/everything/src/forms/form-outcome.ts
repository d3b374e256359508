import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Describes the user's reaction to a form. */
export interface FormWords {
  readonly accepted: string;
  readonly declined: string;
  readonly cancelled: string;
  /** The fields that are shown, in this order, with the name of each. */
  readonly labels: Readonly<Record<string, string>>;
  /** Closes the result, for every outcome. */
  readonly closing: string;
}

/** The user's action, in a sentence; the values of an accepted form; and the closing text. */
export function formOutcome(answer: Readonly<Record<string, unknown>>, words: FormWords): CallToolResult {
  const texts = [...outcome(answer, words), words.closing];
  return { content: texts.map((text) => ({ type: 'text', text })) };
}

function outcome(
  { action, content }: Readonly<Record<string, unknown>>,
  { accepted, declined, cancelled, labels }: FormWords,
): readonly string[] {
  if (action === 'decline') return [declined];
  if (action === 'cancel') return [cancelled];
  if (action !== 'accept' || typeof content !== 'object' || content === null) return [];
  const values = new Map(Object.entries(content));
  const lines = Object.entries(labels)
    .filter(([field]) => values.get(field) !== undefined && values.get(field) !== '')
    .map(([field, label]) => `- ${label}: ${String(values.get(field))}`);
  return [accepted, `User inputs:\n${lines.join('\n')}`];
}
