import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { changedRegistry, createFeatureRegistry } from './feature-registry.js';
import type { Feature } from './feature.js';
import { type FeatureSource, joinedSource } from './feature-source.js';

const tool = (name: string): Feature => defineTool({ name, description: 'x', input: z.object({}), run: () => name });

/** A source whose features a test sets. */
function changing(...first: readonly string[]): FeatureSource & { set(...names: readonly string[]): void } {
  let features: readonly Feature[] = first.map(tool);
  const listeners = new Set<() => void>();
  return {
    get features() {
      return features;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(...names) {
      features = names.map(tool);
      for (const listener of listeners) listener();
    },
  };
}

const names = (registry: { readonly tools: readonly { readonly name: string }[] }): string[] => registry.tools.map(({ name }) => name);

describe('a registry of features that change', () => {
  it('has those that there are, also where it was made of another registry', () => {
    const source = changing('a');
    const registry = createFeatureRegistry(source);
    const derived = changedRegistry(registry, (features) => [...features, tool('own')]);
    expect([registry.mayChange, derived.mayChange]).toEqual([true, true]);
    source.set('b', 'c');
    expect(names(registry)).toEqual(['b', 'c']);
    expect(names(derived)).toEqual(['b', 'c', 'own']);
    expect(derived.tool('a')).toBeUndefined();
    expect(derived.tool('c')?.name).toBe('c');
    expect(derived.listings.tools({}).map(({ name }) => name)).toEqual(['b', 'c', 'own']);
  });

  it('is made again after a change only', () => {
    const source = changing('a');
    let made = 0;
    const derived = changedRegistry(createFeatureRegistry(source), (features) => {
      made += 1;
      return features;
    });
    for (let i = 0; i < 10; i += 1) names(derived);
    expect(made).toBe(1);
    source.set('b');
    for (let i = 0; i < 10; i += 1) names(derived);
    expect(made).toBe(2);
  });

  it('tells those who listen, until they do no more', () => {
    const source = changing('a');
    const registry = changedRegistry(createFeatureRegistry(source), (features) => features);
    let heard = 0;
    const end = registry.onChange(() => {
      heard += 1;
    });
    source.set('b');
    end();
    source.set('c');
    expect(heard).toBe(1);
  });

  it('has the workflow of a tool that is not listed, where the source has one', () => {
    const workflow = { name: 'gone', run: async () => ({}) };
    const registry = changedRegistry(
      createFeatureRegistry({ ...changing(), durable: (name) => (name === 'gone' ? ({ name, workflow } as never) : undefined) }),
      (features) => features,
    );
    expect(registry.workflow('gone')).toBe(workflow);
    expect(registry.workflow('other')).toBeUndefined();
  });
});

describe('joined features', () => {
  it('are the first of each name, and the others are named once', () => {
    const source = changing('a', 'b');
    const lines: string[] = [];
    const joined = joinedSource([tool('a')], [source], (line) => lines.push(line));
    const registry = createFeatureRegistry(joined);
    expect(names(registry)).toEqual(['a', 'b']);
    source.set('a', 'c');
    expect(names(registry)).toEqual(['a', 'c']);
    expect(lines).toEqual(['A tool "a" of another server is left out: there is one of that name.']);
  });
});
