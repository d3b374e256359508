/**
 * The tokens that templates put around calls and behind a message. An endpoint that is asked to show special tokens shows these as well.
 */
const ENDS = [
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁calls▁end｜>',
  '<｜end▁of▁sentence｜>',
  '<|python_end|>',
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|endoftext|>',
  '</s>',
];

/** A text without the special tokens and the white space at its end. */
export function withoutSpecialEnd(text: string): string {
  let rest = text.trimEnd();
  for (let end = ENDS.find((token) => rest.endsWith(token)); end; end = ENDS.find((token) => rest.endsWith(token))) {
    rest = rest.slice(0, -end.length).trimEnd();
  }
  return rest;
}
