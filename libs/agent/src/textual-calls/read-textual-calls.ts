/**
 * Reads the calls that a model writes in its text, if the endpoint does not read them. The forms are those by Hermes and Qwen2.5,
 * Qwen3-Coder, GLM, Mistral, Llama 3, DeepSeek V3.1 and the pythonic one. The time depends only on the length of the text.
 */
import type { ToolCall } from '../conversation/messages.js';
import type { ToolDescription } from '../model/chat-model.js';
import { CALL_FORMS, type CallForm, MARK, readBare } from './call-forms.js';
import { type CallSource, callSource } from './call-source.js';
import type { FoundCall } from './found-call.js';
import { beginsAsCall, CodeBlocks, isMeantAsWhole, type Span, standsAsCall } from './meant-call.js';
import { excerpt, type ReplyProblem } from '../model/reply-problem.js';
import { withoutSpecialEnd } from './special-tokens.js';
import { type Search, searchOf, skipSpace } from './text-search.js';

/** The content of a text, and its calls. */
export interface TextualReply {
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /** The first call that stays text, though it was meant as one. */
  readonly problem?: ReplyProblem;
}

/** The tools and forms for the reading of a text. */
export interface ReadingOptions {
  /** The tools that may be called; their schemas say what values without quotes mean. */
  readonly tools: readonly ToolDescription[];
  /** The id of the n-th call, from 0; the same in a replay. */
  readonly idOf: (index: number) => string;
  /** Whether the end of the text was cut off, so that nothing may be missing there. Default: false. */
  readonly isCut?: boolean;
}

const PROBLEMS = {
  UNREADABLE_CALL: 'The model wrote a call that cannot be read',
  UNKNOWN_TOOL: 'The model wrote a call of a tool that it does not have',
};
/** The text that may stand between calls and behind them. */
const BETWEEN = /^(?:\s|[;,]|<\/tool_call>|<｜tool▁calls▁(?:begin|end)｜>)*$/;

/**
 * Reads the calls of a text.
 *
 * With calls, the content is the text before the first of them. The text after a call is left out: the model wrote it without the result,
 * often with an invented one. After `<tool_response>`, which no model should write, nothing is read. Without calls, the content is the text
 * as it is. A call stays text if its tool is not listed, or if it is cut or broken. The first such call is the problem, unless it is only
 * mentioned. A call that is quoted in code or stands within a sentence does not count. Forms without a mark (Llama 3's JSON, the pythonic
 * list) are calls only if they are all of the text.
 *
 * @param text the text of the model, without its reasoning
 */
export function readTextualCalls(text: string, options: ReadingOptions): TextualReply {
  const { spans, problem } = callsIn(text, options);
  const start = spans[0]?.start;
  return {
    content: start === undefined ? text : withoutSpecialEnd(text.slice(0, start)).trim(),
    calls: toolCalls(spans, options),
    ...(problem && { problem }),
  };
}

/**
 * Reads the calls at the end of thoughts, where a model called a tool before it had ended them. Calls with words behind them are only
 * thought of. Without calls, the content is the text as it is.
 */
export function readCallsAfterThoughts(text: string, options: ReadingOptions): TextualReply {
  const { spans } = callsIn(text, options);
  const whole = withoutSpecialEnd(text);
  const first = 1 + spans.findLastIndex(({ end }, index) => !BETWEEN.test(whole.slice(end, spans[index + 1]?.start)));
  const last = spans.slice(first);
  const start = last[0]?.start;
  return { content: start === undefined ? text : text.slice(0, start).trim(), calls: toolCalls(last, options) };
}

interface CallSpan extends Span {
  readonly calls: readonly FoundCall[];
}

interface Found {
  readonly spans: readonly CallSpan[];
  readonly problem?: ReplyProblem;
}

function toolCalls(spans: readonly CallSpan[], { idOf }: ReadingOptions): ToolCall[] {
  return spans
    .flatMap(({ calls }) => calls)
    .map((call, index) => ({ id: idOf(index), type: 'function', function: { name: call.name, arguments: call.arguments ?? '{}' } }));
}

function callsIn(text: string, { tools, isCut = false }: ReadingOptions): Found {
  const source = callSource(withoutSpecialEnd(text), tools, isCut);
  return wholeText(source) ?? markedCalls(source);
}

/** The calls that are all of a text, without a mark. JSON has to have arguments: an answer may have a name, too. */
function wholeText(source: CallSource): Found | undefined {
  const { text, tools } = source;
  const start = skipSpace(text, 0);
  if (text.charAt(start) !== '{' && text.charAt(start) !== '[') return undefined;
  const { calls, end, isBroken } = readBare(source, start);
  if (isBroken) return isMeantAsWhole(source) ? { spans: [], problem: problemAt(text, start, 'UNREADABLE_CALL') } : undefined;
  const isAll = calls.length > 0 && skipSpace(text, end) === text.length && calls.every((call) => call.arguments !== undefined);
  if (!isAll || !calls.some((call) => tools.has(call.name))) return undefined;
  if (calls.every((call) => tools.has(call.name))) return { spans: [{ calls, start: 0, end }] };
  return { spans: [], problem: problemAt(text, start, 'UNKNOWN_TOOL') };
}

function markedCalls(source: CallSource): Found {
  const { text, tools } = source;
  const spans: CallSpan[] = [];
  const code = new CodeBlocks(text);
  const closings = new Map<string, Search>();
  let problem: ReplyProblem | undefined;
  let before = 0;
  let at = 0;
  for (let mark = nextMark(text, at); mark; mark = nextMark(text, at)) {
    const form = CALL_FORMS[mark[0]];
    const from = at;
    at = mark.index + mark[0].length;
    if (form === undefined && spans.length > 0) break;
    if (form === undefined || text.charAt(mark.index - 1) === '`') continue;
    const reading = form.read(source, at);
    const isBroken = reading.isBroken === true;
    const span = { start: mark.index, end: Math.max(at, isBroken ? afterBroken(text, form, reading.end, closings) : reading.end) };
    // The text after a mark that is only mentioned may be a call.
    if (isBroken && reading.calls.length === 0 && !beginsAsCall(text, at, span, before)) continue;
    at = span.end;
    if (code.isQuoted(span, from)) continue;
    const known = reading.calls.filter((call) => tools.has(call.name));
    const isMeant = standsAsCall(text, span, before);
    if (isMeant && known.length < reading.calls.length) problem ??= problemAt(text, mark.index, 'UNKNOWN_TOOL');
    if (isMeant && isBroken) problem ??= problemAt(text, mark.index, 'UNREADABLE_CALL');
    if (isMeant && known.length > 0) spans.push({ calls: known, ...span });
    if (isMeant) before = span.end;
  }
  return { spans, ...(problem && { problem }) };
}

function nextMark(text: string, at: number): RegExpExecArray | null {
  MARK.lastIndex = at;
  return MARK.exec(text);
}

/** Where to continue after a call that could not be read: at its end, or else at the end of the text. Its text may quote other calls. */
function afterBroken(text: string, { closing }: CallForm, end: number, closings: Map<string, Search>): number {
  if (closing === undefined) return end;
  const search = closings.get(closing) ?? searchOf(text, closing);
  closings.set(closing, search);
  const index = search(end);
  return index === -1 ? text.length : index + closing.length;
}

function problemAt(text: string, at: number, code: keyof typeof PROBLEMS): ReplyProblem {
  return { code, message: `${PROBLEMS[code]}: ${excerpt(text, at)}` };
}
