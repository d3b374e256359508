/** The tables of docs/internals/clients.md: one row for each scenario, and one for each client. */
import { pinnedVersions, type Run, type SuiteClient } from './catalogue.ts';
import { type Outcome, SCENARIOS } from './scenarios.ts';

/** What came of one run of a client. */
export interface Result {
  readonly run: Run;
  readonly outcomes: readonly Outcome[];
}

const HEAD = [
  '| Client | Version | Protocol versions | Transports | Passed | What the client itself lacks |',
  '| --- | --- | --- | --- | --- | --- |',
];

/** What each scenario shows. */
export function scenarioTable(): string[] {
  return [
    '| Scenario | What the client has to see |',
    '| --- | --- |',
    ...Object.entries(SCENARIOS).map(([name, { shows }]) => `| \`${name}\` | ${shows} |`),
  ];
}

/** What came of each client. */
export function clientTable(results: ReadonlyMap<SuiteClient, readonly Result[]>): string[] {
  return [...HEAD, ...[...results].map(([client, ofClient]) => `| ${row(client, ofClient).join(' | ')} |`)];
}

/** What the row of a client begins with, which does not depend on its runs. */
export function rowHead(client: SuiteClient): [title: string, version: string, protocolVersions: string, transports: string] {
  const versions = [...pinnedVersions(client)];
  const version = versions.length === 1 ? versions.map(([, number]) => number) : versions.map((pair) => pair.join(' '));
  return [
    client.title,
    version.join(', '),
    unique(client.runs.map((run) => run.protocolVersion)),
    unique(client.runs.map((run) => run.transport)),
  ];
}

function row(client: SuiteClient, results: readonly Result[]): string[] {
  const outcomes = results.flatMap((result) => result.outcomes);
  const passed = outcomes.filter(({ outcome }) => outcome === 'passed').length;
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length;
  return [...rowHead(client), `${passed} of ${passed + failed}`, lacks(results)];
}

/** The reasons, each with its scenarios, and with the runs unless it holds for all of them. */
function lacks(results: readonly Result[]): string {
  const declared = results.flatMap(({ run, outcomes }) =>
    outcomes.flatMap(({ scenario, outcome, detail = '' }) => (outcome === 'unsupported' ? [{ run, scenario, detail }] : [])),
  );
  const reasons = Map.groupBy(declared, ({ detail }) => detail);
  return [...reasons]
    .map(([reason, cases]) => {
      const scenarios = unique(cases.map(({ scenario }) => `\`${scenario}\``));
      const runs = new Set(cases.map(({ run }) => run));
      const where = [...runs].map(({ transport, protocolVersion }) => `${transport} ${protocolVersion}`).join(', ');
      return `${scenarios}: ${reason}${runs.size === results.length ? '' : ` (${where})`}`;
    })
    .join('; ');
}

function unique(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ');
}
