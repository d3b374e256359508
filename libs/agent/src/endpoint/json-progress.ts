/** Follows a JSON text that arrives in pieces, to see when a value of it is complete. Looks at each character once. */
export class JsonProgress {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isWhole = false;

  /** Whether an object, a list or a string has come to its end, and nothing is open. */
  get isWhole(): boolean {
    return this.#isWhole && this.#depth === 0 && !this.#isInString;
  }

  push(text: string): void {
    for (let index = 0; index < text.length; index++) this.#take(text.charAt(index));
  }

  #take(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '"') {
      this.#isInString = !this.#isInString;
      this.#isWhole ||= !this.#isInString && this.#depth === 0;
    } else if (this.#isInString) this.#isEscaped = character === '\\';
    else if (character === '{' || character === '[') this.#depth += 1;
    else if (character === '}' || character === ']') {
      this.#depth -= 1;
      this.#isWhole ||= this.#depth === 0;
    }
  }
}
