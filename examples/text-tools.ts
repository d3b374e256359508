/** Tools that answer at once: LONGHAUL_FEATURES=./examples/text-tools.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const WORDS_PER_MINUTE = 230;

const words = new Intl.Segmenter('en', { granularity: 'word' });
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const text = z.string().min(1).max(100_000);

const textStatistics = defineTool({
  name: 'text-statistics',
  description: 'Counts the words and sentences of a text, and how many minutes it takes to read.',
  input: z.object({ text }),
  output: z.object({ words: z.number(), sentences: z.number(), readingMinutes: z.number() }),
  annotations: { readOnlyHint: true },
  run({ text }) {
    const count = [...words.segment(text)].filter(({ isWordLike }) => isWordLike).length;
    return {
      words: count,
      sentences: [...sentences.segment(text)].length,
      readingMinutes: Math.ceil(count / WORDS_PER_MINUTE),
    };
  },
});

const summarise = defineTool({
  name: 'summarise',
  description: 'Shortens a text to a few sentences.',
  input: z.object({ text, sentences: z.number().int().min(1).max(10).default(2) }),
  async run({ text, sentences: count }, context) {
    if (context.sampleEnabled) {
      const { content } = await context.sample(`Summarise this in ${count} sentences:\n\n${text}`, { maxTokens: 500 });
      if (!Array.isArray(content) && content.type === 'text') return content.text;
    }
    context.info('No model wrote this summary: it is how the text begins.');
    const first = [...sentences.segment(text)].slice(0, count);
    return first.map(({ segment }) => segment.trim()).join(' ');
  },
});

/** Gateways and workers load what is exported under this name. */
export const features = [textStatistics, summarise];
