import { useState } from 'preact/hooks';
import { textIn } from './form-text.js';

export interface RetryFromProps {
  /** The step that failed, as far as it is known: then a retry begins there, unless another place is chosen. */
  readonly failed?: string | undefined;
  /** Keys of recorded steps, to pick from. */
  readonly keys?: readonly string[];
}

const KEYS = 'recorded-steps';

/** Chooses where a retry begins: `retryFrom` reads it. */
export function RetryFrom({ failed, keys = [] }: RetryFromProps) {
  const [from, setFrom] = useState(failed === undefined ? 'start' : 'failed-step');
  return (
    <>
      <label class="field">
        <span>From</span>
        <select name="from" value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)}>
          <option value="start">the start</option>
          <option value="failed-step">the step that failed{failed === undefined ? ', where a step did' : ` (${failed})`}</option>
          <option value="step">another step</option>
        </select>
      </label>
      {from === 'step' && (
        <label class="field">
          <span>Step</span>
          <input name="step" list={KEYS} required maxLength={1_024} autoComplete="off" />
          <datalist id={KEYS}>
            {keys.map((key) => (
              <option key={key} value={key} />
            ))}
          </datalist>
        </label>
      )}
    </>
  );
}

/** The choice, as the API takes it. */
export function retryFrom(form: FormData): string | { readonly step: string } {
  const from = textIn(form, 'from');
  return from === 'step' ? { step: textIn(form, 'step') } : from;
}
