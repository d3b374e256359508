import { readFileSync } from 'node:fs';

/** Finds the members of a union of messages in the schema of a revision, by their methods. */
export function methodsOf(revision: '2025-11-25' | '2026-07-28', union: 'ClientRequest' | 'ServerNotification'): readonly string[] {
  const { $defs } = JSON.parse(readFileSync(new URL(`../fixtures/schemas/${revision}.json`, import.meta.url), 'utf8')) as Schema;
  return ($defs[union]?.anyOf ?? []).map(({ $ref }) => $defs[$ref.replace('#/$defs/', '')]?.properties?.method?.const ?? $ref);
}

interface Schema {
  readonly $defs: Readonly<Record<string, Definition>>;
}

interface Definition {
  readonly anyOf?: readonly { readonly $ref: string }[];
  readonly properties?: { readonly method?: { readonly const?: string } };
}
