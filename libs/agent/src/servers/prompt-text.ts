/** Makes a question of a prompt that a server has filled in. */
import type { GetPromptResult } from '@modelcontextprotocol/sdk/types.js';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import { textOfContent, toolContent } from '../conversation/tool-content.js';

const MAX_TEXT_BYTES = 64 * 1024;

/** The text of a prompt. Several messages have their roles before them; images and other data are named. */
export function promptText({ messages }: GetPromptResult): string {
  const texts = messages.map(({ role, content }) => {
    const shown = toolContent({ content: [content] }, { taken: { takesImages: false }, maxTextBytes: MAX_TEXT_BYTES, maxMediaBytes: 0 });
    return { role, text: textOfContent(shown) };
  });
  const [only] = texts;
  const text = texts.length === 1 && only !== undefined ? only.text : texts.map((each) => `${each.role}: ${each.text}`).join('\n\n');
  return cutWithNote(text, MAX_TEXT_BYTES);
}
