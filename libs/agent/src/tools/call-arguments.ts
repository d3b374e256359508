/** Reads the arguments of a call from text. */
import { isJsonObject } from '@longhaul/tasks/json';
import type { ToolRequest } from './toolbox.js';

/** A longer text, such as a list of a million errors, is not worth a check, a display or a message. */
const MAX_ARGUMENT_CHARACTERS = 1_048_576;

/** The arguments, or what is wrong with the text. Models write nothing where a tool takes no arguments. */
export function argumentsOf(text: string): ToolRequest['arguments'] | string {
  if (text.length > MAX_ARGUMENT_CHARACTERS) return `they have ${text.length} characters, and at most ${MAX_ARGUMENT_CHARACTERS} are taken`;
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : 'they have to be a JSON object';
  } catch (error) {
    return `they are no JSON: ${(error as Error).message}`;
  }
}
