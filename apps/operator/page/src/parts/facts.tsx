import type { ComponentChildren } from 'preact';

/** The name of a fact, and what it is. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Facts about one thing, each under its name. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
