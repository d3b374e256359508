import type { Feature } from './feature.js';

/** A feature that is left out, and why. */
export interface LeftOut {
  readonly feature: Feature;
  readonly reason: string;
}

/** Selects the features that work without sessions. There the server knows no client and cannot ask it anything. */
export function statelessFeatures(features: readonly Feature[]): {
  readonly kept: readonly Feature[];
  readonly leftOut: readonly LeftOut[];
} {
  const kept: Feature[] = [];
  const leftOut: LeftOut[] = [];
  for (const feature of features) {
    const { needs, needsSession } = feature;
    if (needs.length > 0) leftOut.push({ feature, reason: `needs the client's ${needs.join(' and ')}` });
    else if (needsSession) leftOut.push({ feature, reason: 'needs a session' });
    else kept.push(feature);
  }
  return { kept, leftOut };
}
