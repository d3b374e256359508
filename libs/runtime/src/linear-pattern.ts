/**
 * Patterns that are not ours: of other servers' schemas, of callers, of files. Their authors decide what they are, so they run in time
 * that grows with the text alone. This is the only place that makes them; the linter keeps `RegExp` out of everything else.
 */
import { RE2JS } from 're2js';

/** A longer one takes too much to be compiled. */
export const MAX_PATTERN_CHARACTERS = 4_096;

/** A pattern that somebody else has written. */
export interface LinearPattern {
  /** Whether any part of the text fits, as in JSON Schema. */
  test(text: string): boolean;
}

/**
 * The pattern in the syntax of JavaScript, without what needs to try again and again: looking ahead and back, and back references.
 *
 * @throws TypeError that says what is wrong with the pattern, or that it is too long
 */
export function linearPattern(pattern: string): LinearPattern {
  if (pattern.length > MAX_PATTERN_CHARACTERS) throw new TypeError(`A pattern may have at most ${MAX_PATTERN_CHARACTERS} characters.`);
  const compiled = compile(pattern);
  return { test: (text) => compiled.matcher(text).find() };
}

/** Any text where the pattern has `*`, and the rest as it is, from the beginning to the end. */
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
