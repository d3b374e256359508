import { splitAtOpenEnd, ThoughtSplitter } from './thought-splitter.js';

/** A text, and the thoughts of the model before it. */
export interface SeparatedText {
  readonly content: string;
  readonly reasoning?: string;
}

/**
 * Separates the thoughts that a model writes before or within its answer, such as `<think>…</think>`. The first opening may be
 * missing, because many templates end the prompt with it. Without a closing, all that follows is a thought: it was cut, or the model
 * called a tool in the middle of it. A text without thoughts is returned as it is.
 *
 * @param mayBeOpen whether thoughts may have begun before the text: not where the endpoint separates them
 */
export function separateReasoning(text: string, mayBeOpen = true): SeparatedText {
  const open = mayBeOpen ? splitAtOpenEnd(text) : undefined;
  const parts = new ThoughtSplitter().end(open?.rest ?? text);
  const thoughts = parts.filter(({ kind }) => kind === 'thought').map((part) => part.text);
  if (open === undefined && thoughts.length === 0) return { content: text };
  const texts = parts.filter(({ kind }) => kind === 'text').map((part) => part.text);
  const reasoning = [...(open === undefined ? [] : [open.thought]), ...thoughts]
    .map((thought) => thought.trim())
    .filter((thought) => thought !== '')
    .join('\n\n');
  return { content: texts.join('').trimEnd(), ...(reasoning !== '' && { reasoning }) };
}
