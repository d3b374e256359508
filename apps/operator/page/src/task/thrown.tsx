import type { TaskDetails } from '../../../src/answers.js';

/** What the function of a failed task has thrown, and where. */
export function Thrown({ thrown: { step, stack } }: { readonly thrown: NonNullable<TaskDetails['thrown']> }) {
  if (step === undefined && stack === undefined) return null;
  return (
    <section aria-labelledby="thrown">
      <h2 id="thrown">Where it failed</h2>
      {step !== undefined && (
        <p>
          In step <code>{step}</code>
        </p>
      )}
      {stack !== undefined && (
        <pre class="stack" tabIndex={0} aria-label="Stack">
          {stack}
        </pre>
      )}
    </section>
  );
}
