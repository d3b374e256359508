/** Finds allowed definitions that make a feature harder to use for models, as advice to the author. `client-advice.ts` is about clients. */
import type { Feature } from './feature.js';

/** A line for each thing. */
export function adviceOn(feature: Feature): readonly string[] {
  if (feature.kind !== 'tool') return [];
  const { description } = feature.listing as { readonly description?: unknown };
  if (typeof description === 'string' && description.trim() !== '') return [];
  return [`Tool ${feature.name} has no description: models choose tools by what their descriptions say.`];
}
