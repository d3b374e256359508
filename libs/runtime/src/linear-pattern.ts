/**
 * Runs patterns that third parties wrote: in other servers' schemas, in requests, in files. They can be hostile, so they run in time that
 * grows only with the length of the text. Only this module makes such patterns; the linter forbids `RegExp` everywhere else.
 */
import { RE2JS } from 're2js';

/** A longer pattern takes too much time and memory to compile. */
export const MAX_PATTERN_CHARACTERS = 4_096;

/** A pattern that a third party wrote. */
export interface LinearPattern {
  /** Whether any part of the text matches, as in JSON Schema. */
  test(text: string): boolean;
}

/**
 * Compiles a pattern in the syntax of JavaScript, without the features that need backtracking: lookahead, lookbehind and back references.
 *
 * @throws TypeError that names the mistake in the pattern, or says that it is too long
 */
export function linearPattern(pattern: string): LinearPattern {
  if (pattern.length > MAX_PATTERN_CHARACTERS) throw new TypeError(`A pattern may have at most ${MAX_PATTERN_CHARACTERS} characters.`);
  const compiled = compile(pattern);
  return { test: (text) => compiled.matcher(text).find() };
}

/** Matches the whole text: `*` stands for any text, the rest for itself. */
export function wildcardPattern(pattern: string): LinearPattern {
  const parts = pattern.split('*').map((part) => RE2JS.quote(part));
  const compiled = RE2JS.compile(`^${parts.join('.*')}$`, RE2JS.DOTALL);
  return { test: (text) => compiled.matcher(text).find() };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new TypeError(`The pattern ${JSON.stringify(pattern)} cannot be used: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}
