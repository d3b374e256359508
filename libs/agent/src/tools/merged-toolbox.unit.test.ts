import { describe, expect, it } from 'vitest';
import { memoryToolbox, textResult, toolOf } from './memory-toolbox.fixture.js';
import { mergedToolbox } from './merged-toolbox.js';
import type { Toolbox } from './toolbox.js';

const { signal } = new AbortController();

function callNamed(toolbox: Toolbox, name: string): Promise<unknown> {
  const tool = toolbox.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`No tool ${name}`);
  return toolbox.call({ id: 'a', tool, arguments: {} }, { signal });
}

describe('a toolbox of several', () => {
  const a = memoryToolbox({ echo: { act: () => textResult('from a') }, own: {} }, 'a');
  const b = memoryToolbox({ echo: { act: () => textResult('from b') } }, 'b');

  it('has the tools of all, with names that are unique among them, and calls each where it is', async () => {
    const merged = mergedToolbox([a, b]);
    expect(merged.tools.map(({ name }) => name)).toEqual(['a_echo', 'own', 'b_echo']);
    expect(await callNamed(merged, 'a_echo')).toEqual(textResult('from a'));
    expect(await callNamed(merged, 'b_echo')).toEqual(textResult('from b'));
    expect(b.called.at(-1)?.tool).toEqual(b.tools[0]);
  });

  it('has the tools that its toolboxes have now', async () => {
    let tools = [toolOf('c', { name: 'first' })];
    const changing: Toolbox = {
      get tools() {
        return tools;
      },
      call: async () => textResult('c'),
    };
    const merged = mergedToolbox([a, changing]);
    const gone = merged.tools.find(({ name }) => name === 'first');
    expect(gone).toBeDefined();
    tools = [toolOf('c', { name: 'second' })];
    expect(merged.tools.map(({ name }) => name)).toEqual(['echo', 'own', 'second']);
    if (gone !== undefined) {
      await expect(merged.call({ id: 'a', tool: gone, arguments: {} }, { signal })).rejects.toThrow('The tool first is no longer there.');
    }
  });

  it('refuses two servers of the same name', () => {
    const merged = mergedToolbox([a, memoryToolbox({ other: {} }, 'a')]);
    expect(() => merged.tools).toThrow('Two servers have the name "a": give one of them another name.');
  });
});
