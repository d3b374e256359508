/** Finds allowed definitions that make a feature harder to use for models and clients, as advice to the author. */
import type { Feature } from './feature.js';

/** Of the specification, revision 2025-11-25: names should have 1 to 128 of these characters. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** A line for each thing. */
export function adviceOn(feature: Feature): readonly string[] {
  if (feature.kind !== 'tool') return [];
  const { name } = feature;
  const { description } = feature.listing as { readonly description?: unknown };
  const isDescribed = typeof description === 'string' && description.trim() !== '';
  return [
    ...(isDescribed ? [] : [`Tool ${name} has no description: models choose tools by what their descriptions say.`]),
    ...(NAME.test(name)
      ? []
      : [
          `The name of tool ${JSON.stringify(name)} should have 1 to 128 of the characters A-Z, a-z, 0-9, "_", "-" and ".": some clients refuse others.`,
        ]),
  ];
}
