/** Cuts a stream of bytes into the frames of server-sent events. */
export class SseFrames {
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** @returns the frames that are complete now, each with its empty line */
  add(bytes: Uint8Array): readonly string[] {
    const parts = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n\n');
    this.#rest = parts.pop() ?? '';
    return parts.map((part) => `${part}\n\n`);
  }

  /** The data of a frame; nothing for a comment. */
  static dataOf(frame: string): string | undefined {
    const lines = frame.split('\n').filter((line) => line.startsWith('data: '));
    return lines.length === 0 ? undefined : lines.map((line) => line.slice('data: '.length)).join('\n');
  }
}
