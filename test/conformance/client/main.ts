/**
 * The client that the conformance suite runs, once for each scenario: `node main.ts <url of the scenario's server>`. Its
 * last line is `done` if the client did what it should, which in some scenarios is to refuse the server; or else why not.
 */
import { env, exit, stdout } from 'node:process';
import { authorizedScenarios } from './authorized-scenarios.ts';
import type { ScenarioContext } from './scenario.ts';
import { scenarios } from './scenarios.ts';

/** Servers that a client must not work with, and what it says of them. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'auth/resource-mismatch': /Protected resource .* does not match/,
  'auth/scope-retry-limit': /asked too often/,
  'auth/iss-supported-missing': /IssuerMismatchError/,
  'auth/iss-wrong-issuer': /IssuerMismatchError/,
  'auth/iss-unexpected': /IssuerMismatchError/,
  'auth/iss-normalized': /IssuerMismatchError/,
  'auth/metadata-issuer-mismatch': /IssuerMismatchError/,
};

/** @returns why the client has not done what it should, if it has not */
async function play(name: string, url: string, context: ScenarioContext): Promise<string | undefined> {
  const scenario = scenarios[name] ?? authorizedScenarios[name] ?? (name.startsWith('auth/') ? authorizedScenarios['auth/*'] : undefined);
  if (scenario === undefined) return `There is nothing to do for the scenario "${name}".`;
  const refusal = REFUSED[name];
  try {
    await scenario(url, context);
  } catch (error) {
    return refusal?.test(String(error)) === true ? undefined : String(error);
  }
  return refusal === undefined ? undefined : `The client should have refused the server with ${refusal.source}.`;
}

const [, , url = ''] = process.argv;
const problem = await play(
  env['MCP_CONFORMANCE_SCENARIO'] ?? '',
  url,
  JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as ScenarioContext,
);
stdout.write(`${problem ?? 'done'}\n`);
exit(problem === undefined ? 0 : 1);
