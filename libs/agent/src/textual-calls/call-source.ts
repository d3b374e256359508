import type { ToolDescription } from '../model/chat-model.js';
import { matchAt, type Search, searchOf, skipSpace } from './text-search.js';

/** Holds a text in which calls are searched, and the facts that are known about it. */
export interface CallSource {
  readonly text: string;
  /** The tools that may be called, by name. */
  readonly tools: ReadonlyMap<string, ToolDescription>;
  /**
   * Whether JSON ends here although brackets are missing. Then the end of a call, the beginning of another one or the end of the text
   * follows.
   */
  readonly mayEndAt: (index: number) => boolean;
  /** Where the next `</parameter>` stands that ends a parameter: something that belongs to the form follows it. */
  readonly parameterEnd: Search;
  /** Where the next `</arg_value>` stands that ends a value. */
  readonly argumentEnd: Search;
  /** Where the next `</arg_key>` stands. */
  readonly keyEnd: Search;
}

const AFTER_CALL = /<\/tool_call>|<tool_call>|<｜tool▁call|\[TOOL_CALLS\]|<\|python_tag\|>|```/y;

/** Prepares a text. @param isCut whether its end was cut off, so that nothing may be missing there */
export function callSource(text: string, tools: readonly ToolDescription[], isCut: boolean): CallSource {
  /** Whether a closing tag is followed by one of these, or by the end. Otherwise it belongs to the value. */
  const followedBy = (closing: string, followers: readonly string[]) => (index: number) => {
    const next = skipSpace(text, index + closing.length);
    return next === text.length || followers.some((follower) => text.startsWith(follower, next));
  };
  return {
    text,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    mayEndAt: (index) => {
      const next = skipSpace(text, index);
      return next === text.length ? !isCut : matchAt(AFTER_CALL, text, next) !== undefined;
    },
    parameterEnd: searchOf(text, '</parameter>', followedBy('</parameter>', ['<parameter=', '</function>', '</tool_call>'])),
    argumentEnd: searchOf(text, '</arg_value>', followedBy('</arg_value>', ['<arg_key>', '</tool_call>'])),
    keyEnd: searchOf(text, '</arg_key>'),
  };
}
