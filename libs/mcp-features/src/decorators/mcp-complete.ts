import type { Completer, Completion } from '../completion.js';
import type { VariableNames } from '../define-resource-template.js';
import { declaring, type FeatureMethod } from './declarations.js';
import { promptLabel } from './mcp-prompt.js';
import { templateLabel } from './mcp-resource.js';

/** Which argument of a prompt a method completes. */
export interface PromptCompletion {
  /** The name of the prompt, which is another method of the class. */
  readonly prompt: string;
  /** Default: the name of the method. */
  readonly argument?: string;
}

/** Which variable of a resource template a method completes. */
export interface VariableCompletion<Uri extends string> {
  /** The URI of the template, which is another method of the class. */
  readonly uri: Uri;
  /** Default: the name of the method. */
  readonly variable?: VariableNames<Uri>;
}

/** Has a method complete an argument of a prompt: it returns the values that fit what was typed so far. */
export function McpComplete(spec: PromptCompletion): FeatureMethod<Parameters<Completer>, Completion>;
/** Has a method complete a variable of a resource template. */
export function McpComplete<const Uri extends string>(spec: VariableCompletion<Uri>): FeatureMethod<Parameters<Completer>, Completion>;
export function McpComplete(
  spec: PromptCompletion | { readonly uri: string; readonly variable?: string },
): FeatureMethod<Parameters<Completer>, Completion> {
  const [of, named] = 'prompt' in spec ? [promptLabel(spec.prompt), spec.argument] : [templateLabel(spec.uri), spec.variable];
  return declaring('McpComplete', (method) => {
    const argument = named ?? String(method).replace(/^#/, '');
    return (complete) => ({ kind: 'completion', of, argument, complete });
  });
}
