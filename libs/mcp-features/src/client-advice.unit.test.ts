import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { adviceForClients } from './client-advice.js';
import { defineTool } from './define-tool.js';

const toolWith = (more: object) =>
  defineTool({ name: 'a-good_name', description: 'Works', input: z.object({}), run: () => 'done', ...more });
const adviceOn = (more: object, serverName = 'longhaul') => adviceForClients([toolWith(more)], serverName);

const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree);
  },
});
const Point = z.object({ x: z.number() }).meta({ id: 'Point' });

describe('what known clients do with a tool', () => {
  it('is nothing with a good one', () => {
    expect(adviceOn({ output: z.object({ from: Point, to: Point }), description: 'ä'.repeat(1_024) })).toEqual([]);
    expect(adviceOn({ name: 'x'.repeat(52) })).toEqual([]);
    expect(adviceOn({ name: 'x'.repeat(58) }, 'my')).toEqual([]);
  });

  it.each(['two words', 'größe', 'a/b', 'a.b', 'a:b'])('is that some do not take its name: %j', (name) => {
    expect(adviceOn({ name })).toEqual([
      `Tool ${JSON.stringify(name)}: Claude Desktop hides the whole server, and Codex and VS Code change the name, because it has characters other than A-Z, a-z, 0-9, "_" and "-".`,
    ]);
  });

  it.each(['', 'x'.repeat(65)])('is that one does not take a name of such a length: %j', (name) => {
    expect(adviceOn({ name })).toEqual([
      `Tool ${JSON.stringify(name)}: Claude Desktop hides the whole server, because the name does not have 1 to 64 characters.`,
    ]);
  });

  it("is that some do not take its name with the server's", () => {
    expect(adviceOn({ name: 'x'.repeat(53) })).toEqual([
      `Tool "${'x'.repeat(53)}": Cursor may leave it out, because its name and the server's (longhaul) have 61 characters together, more than 60. Codex, Gemini CLI and VS Code shorten names that are a little longer.`,
    ]);
  });

  it('is that one cuts off its description', () => {
    expect(adviceOn({ description: 'ä'.repeat(1_025) })).toEqual([
      'Tool "a-good_name": Claude Code cuts off its description, which has 2050 bytes, after 2048.',
    ]);
  });

  it.each([
    ['as a whole', Tree],
    ['in a part', z.object({ tree: Tree, other: Tree })],
  ])('is that one shows none at all when results contain themselves %s', (_where, output) => {
    expect(adviceOn({ output })).toEqual([
      'Tool "a-good_name": Claude Code shows no tool of the server at all, because its output schema refers to itself.',
    ]);
  });

  it('has a line for each thing', () => {
    expect(adviceForClients([toolWith({ name: 'a b', output: Tree }), toolWith({ name: 'c d' })], 'longhaul')).toHaveLength(3);
  });
});
