/** As much of Protocol Buffers as spans need, written into memory that is there already. */

const FOUR_BYTES = 2 ** 32;
const MAX_VARINT_BYTES = 10;

/** Wire types. */
export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;
export const FIXED32 = 5;

/** How many bytes a field may take beside its text. */
export const FIELD_BYTES = 2 + MAX_VARINT_BYTES;
/** A character of a string takes at most so many. */
export const BYTES_PER_CHARACTER = 3;

/** Writes at `at`, which it moves. There must be room for what is written. */
export class ProtobufWriter {
  at = 0;

  constructor(readonly bytes: Buffer) {}

  tag(field: number, wireType: number): void {
    this.varint((field << 3) | wireType);
  }

  /** @param value a whole number */
  varint(value: number): void {
    if (value < 0) return this.#negative(value);
    let rest = value;
    while (rest > 0x7f) {
      this.bytes[this.at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.at++] = rest;
  }

  fixed32(value: number): void {
    this.at = this.bytes.writeUInt32LE(value, this.at);
  }

  double(value: number): void {
    this.at = this.bytes.writeDoubleLE(value, this.at);
  }

  /** A time in nanoseconds since the epoch, of which a number has not enough digits. */
  nanoseconds(ms: number): void {
    const seconds = Math.trunc(ms / 1_000);
    const nanos = Math.round((ms % 1_000) * 1e6);
    const upper = Math.floor(seconds / 0x10000) * 1e9;
    const lower = (seconds % 0x10000) * 1e9 + nanos + (upper % 0x10000) * 0x10000;
    this.fixed32(lower % FOUR_BYTES);
    this.fixed32(Math.floor(upper / 0x10000) + Math.floor(lower / FOUR_BYTES));
  }

  /** @param text of lower-case hexadecimal digits, two for a byte */
  hex(field: number, text: string): void {
    this.tag(field, DELIMITED);
    this.varint(text.length >> 1);
    for (let index = 0; index < text.length; index += 2)
      this.bytes[this.at++] = (digit(text.charCodeAt(index)) << 4) | digit(text.charCodeAt(index + 1));
  }

  string(field: number, text: string): void {
    this.tag(field, DELIMITED);
    const start = this.begin();
    const { bytes } = this;
    // Most are short and ASCII: then a call out of JavaScript takes longer.
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) {
        this.at = start + bytes.write(text, start);
        break;
      }
      bytes[this.at++] = code;
    }
    this.end(start);
  }

  /** Begins something that its length stands before. @returns where, for `end` */
  begin(): number {
    this.at += 1;
    return this.at;
  }

  /** Writes the length; what is longer than 127 bytes is moved for it. */
  end(start: number): void {
    const length = this.at - start;
    let more = 0;
    for (let rest = length; rest > 0x7f; rest >>>= 7) more += 1;
    if (more > 0) this.bytes.copyWithin(start + more, start, this.at);
    this.at = start - 1;
    this.varint(length);
    this.at += length;
  }

  /** As 64 bits in two's complement. */
  #negative(value: number): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 0x7fn; rest >>= 7n) this.bytes[this.at++] = Number(rest & 0x7fn) | 0x80;
    this.bytes[this.at++] = Number(rest);
  }
}

function digit(code: number): number {
  return code > 0x39 ? code - 0x57 : code - 0x30;
}
