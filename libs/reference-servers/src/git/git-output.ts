/** Reads git's output, and cuts it if it is too long. */
import { StringDecoder } from 'node:string_decoder';

/** Most that a tool shows, bytes. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

/** The last line of an output that was cut. */
export const CUT_NOTE = `\n[The output has more than ${MAX_OUTPUT_BYTES} bytes and was cut here.]`;

/** The standard output of a command. */
export interface GitOutput {
  readonly stdout: Buffer;
  /** Whether there was more. */
  readonly isCut: boolean;
}

/** The text of an output as the reference servers show it: without its last line break, and with U+FFFD for what is no UTF-8. */
export function shownText({ stdout, isCut }: GitOutput): string {
  return isCut ? decoded(stdout, true) + CUT_NOTE : decoded(stdout, false).replace(/\n$/, '');
}

/** @param isCut whether the last character may be a part of one, which is left out then */
export function decoded(bytes: Buffer, isCut: boolean): string {
  return isCut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
}
