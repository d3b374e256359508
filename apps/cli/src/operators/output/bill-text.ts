/** A part of a bill: the requests to one model. */
interface Entry {
  readonly model?: unknown;
  readonly requests?: unknown;
  readonly inputTokens?: unknown;
  readonly outputTokens?: unknown;
  readonly cachedTokens?: unknown;
  readonly reasoningTokens?: unknown;
  readonly cost?: unknown;
}

/** The bill in the result of an agent's task, as a text; undefined where there is none. */
export function billText(result: unknown): string | undefined {
  const { structuredContent } = (result ?? {}) as { readonly structuredContent?: { readonly bill?: unknown } };
  const bill = structuredContent?.bill;
  if (!Array.isArray(bill) || bill.length === 0) return undefined;
  return bill.map((entry: Entry | null) => entryText(entry ?? {})).join('; ');
}

function entryText({ model, requests, inputTokens, outputTokens, cachedTokens, reasoningTokens, cost }: Entry): string {
  const parts: readonly (readonly [unknown, string])[] = [
    [requests, 'requests'],
    [inputTokens, 'tokens read'],
    [cachedTokens, 'of them cached'],
    [outputTokens, 'generated'],
    [reasoningTokens, 'of them thoughts'],
    [cost, 'cost'],
  ];
  const counted = parts.flatMap(([count, what]) => (typeof count === 'number' ? [`${count} ${what}`] : []));
  return `${String(model)}: ${counted.join(', ')}`;
}
