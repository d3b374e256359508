import type { Person } from '../terminal/dialogue.js';

/**
 * Asks until the user types one of the words, or its first letter.
 *
 * @param prompt the question; the words are shown after it
 * @returns undefined when the input has ended
 */
export async function choose<Word extends string>(person: Person, prompt: string, words: readonly Word[]): Promise<Word | undefined> {
  const shown = words.map((word) => `[${word.slice(0, 1)}]${word.slice(1)}`).join(', ');
  for (;;) {
    const typed = await person.ask(`${prompt} ${shown}: `);
    if (typed === undefined) return undefined;
    const given = typed.trim().toLowerCase();
    const word = words.find((one) => given !== '' && (one === given || one.slice(0, 1) === given));
    if (word !== undefined) return word;
  }
}
