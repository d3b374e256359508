/**
 * Reads in which forms a client accepts answers, from its header `Accept` (RFC 9110, 12.5.1). The specification wants clients to name both;
 * many name one, a wildcard or nothing, and each gets its answers in a form that it accepts.
 */
import { remembered } from '@longhaul/tasks';

/** Whether a client accepts one JSON object, and whether it accepts an event stream. */
export interface AcceptedForms {
  readonly json: boolean;
  readonly stream: boolean;
}

export const JSON_TYPE = 'application/json';
export const SSE_TYPE = 'text/event-stream';

const REMEMBERED_HEADERS = 100;

const formsOf = remembered(REMEMBERED_HEADERS, (accept): AcceptedForms => {
  const ranges = (accept.trim() === '' ? '*/*' : accept).toLowerCase().split(',').flatMap(rangeOf);
  return { json: isAccepted(JSON_TYPE, ranges), stream: isAccepted(SSE_TYPE, ranges) };
});

/** @param accept the header; a client without one, or with an empty one, accepts anything */
export function acceptedForms(accept = ''): AcceptedForms {
  return formsOf(accept);
}

interface Range {
  readonly type: string;
  readonly isRefused: boolean;
}

/** Only the weight counts among the parameters: a client that writes `application/json;charset=utf-8` accepts plain JSON too. */
function rangeOf(text: string): readonly Range[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  if (type === '') return [];
  const isRefused = parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  return [{ type: type === '*' ? '*/*' : type, isRefused }];
}

/** The most specific range for the type decides. */
function isAccepted(type: string, ranges: readonly Range[]): boolean {
  const wildcard = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const wanted of [type, wildcard, '*/*']) {
    const range = ranges.find((each) => each.type === wanted);
    if (range !== undefined) return !range.isRefused;
  }
  return false;
}
