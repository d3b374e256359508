import { firstCharacters } from './first-characters.js';
import { useState } from 'preact/hooks';

/** The rest is shown on demand: laying out a long text takes long. */
const FIRST_CHARACTERS = 20_000;

/** A value as JSON. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const text = JSON.stringify(value, undefined, 2) ?? 'undefined';
  const isLong = text.length > FIRST_CHARACTERS;
  return (
    <>
      <pre class="json" tabIndex={0} aria-label={label} role="group">
        {isWhole || !isLong ? text : firstCharacters(text, FIRST_CHARACTERS)}
      </pre>
      {isLong && !isWhole && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </button>
      )}
    </>
  );
}
