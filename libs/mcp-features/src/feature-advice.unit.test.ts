import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { adviceOn } from './feature-advice.js';

const toolWith = (more: object) =>
  defineTool({ name: 'a.good-name_1', description: 'Works', input: z.object({}), run: () => 'done', ...more });

describe('what an author should know of a tool', () => {
  it('is nothing of a good one', () => expect(adviceOn(toolWith({}))).toEqual([]));

  it.each([undefined, '', ' '])('is that it has no description: %j', (description) => {
    expect(adviceOn(toolWith({ description }))).toEqual([
      'Tool a.good-name_1 has no description: models choose tools by what their descriptions say.',
    ]);
  });
});
