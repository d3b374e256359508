import { logIn } from '../api/client.js';
import { session } from '../api/session.js';
import type { Operator } from '../../../src/answers.js';
import { useAct } from '../parts/act.js';
import { textIn } from '../parts/form-text.js';
import { Failure } from '../parts/state.js';

/** The form in which the holder of a token logs in. */
export function Login() {
  const { error, isBusy, run } = useAct(async (token: string) => {
    session.value = await logIn<Operator>(token);
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    run(textIn(new FormData(event.currentTarget as HTMLFormElement), 'token').trim());
  };
  return (
    <main class="login">
      <h1>Longhaul</h1>
      <form onSubmit={submit}>
        <label class="field">
          <span>Token of an operator</span>
          <input name="token" type="password" required autoComplete="current-password" aria-describedby="where" />
        </label>
        <p id="where" class="quiet">
          One that <code>LONGHAUL_OPS_TOKENS</code> names, or else the one in <code>operator.token</code> in the data folder.
        </p>
        {error !== undefined && <Failure message={error} />}
        <button type="submit" class="main" disabled={isBusy}>
          Log in
        </button>
      </form>
    </main>
  );
}
