import { baggageEntryMetadataFromString, type BaggageEntry } from '@opentelemetry/api';

/** The entries of a `baggage` header: `key=value;property,…`, percent-encoded. Invalid entries are left out. */
export function baggageEntries(header: string): Record<string, BaggageEntry> {
  const entries = header.split(',').flatMap((item): [string, BaggageEntry][] => {
    const [pair = '', ...properties] = item.split(';');
    const at = pair.indexOf('=');
    const value = at > 0 ? decoded(pair.slice(at + 1).trim()) : undefined;
    if (value === undefined) return [];
    const metadata = properties.length === 0 ? {} : { metadata: baggageEntryMetadataFromString(properties.join(';').trim()) };
    return [[pair.slice(0, at).trim(), { value, ...metadata }]];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // The percent-encoding is invalid, so this is no entry.
  }
}
