import { type TaskContext, TerminalError } from '@longhaul/tasks';
import { MAX_URL_ROUNDS, requiredElicitations } from './url-elicitation-required.js';

/**
 * Runs a workflow. It may throw that its user must open URLs. If its client has no error for that, the client is asked, and the workflow
 * runs again from its start. The operations of the second run are recorded after the operations of the first run, so a replay takes the
 * same way.
 *
 * @throws TerminalError when the user does not agree, or has agreed ten times
 */
export async function withUrlsOpened<T>(context: Pick<TaskContext, 'client' | 'elicit'>, run: () => Promise<T>): Promise<T> {
  if (context.client.generation === '2025-11-25') return run();
  for (let rounds = 0; ; rounds++) {
    try {
      return await run();
    } catch (error) {
      const elicitations = requiredElicitations(error);
      if (elicitations === undefined) throw error;
      const message = error instanceof Error ? error.message : 'URL elicitation required';
      if (rounds === MAX_URL_ROUNDS) throw new TerminalError(`${message}, also after the user had opened it ${rounds} times.`);
      const answers = await Promise.all(elicitations.map((params) => context.elicit(params)));
      const refused = answers.find(({ action }) => action !== 'accept');
      if (refused !== undefined) throw new TerminalError(`${message}: the user answered with ${refused.action}.`);
    }
  }
}
