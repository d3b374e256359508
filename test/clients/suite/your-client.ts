/** The table that docs/clients.md begins with: what the users of a client see of a slow tool. */
import type { Outcome } from './scenarios.ts';
import type { LongClient, LongResult, Seen } from './long-runs.ts';
import { rowHead } from './table.ts';

const HEAD = [
  '| Your client | A tool of 100 s | A question in the middle | What you can set | Checked |',
  '| --- | --- | --- | --- | --- |',
];

const ARRIVALS: Readonly<Record<Seen['arrival'], string>> = {
  answer: 'The result',
  task: 'A task, then its result',
  'hand-over': '[Handed over](#handed-over)',
  list: '[A time-out](#a-time-out), then the result',
};

/** How a result has come, in a few words for the reader of the table. */
function describeSeen({ arrival, isKeptByProgress = false }: Seen): string {
  return isKeptByProgress ? 'Progress, then the result' : ARRIVALS[arrival];
}

interface Row {
  readonly client: string;
  readonly setting: string;
  readonly checked: string;
  readonly long: string;
  readonly question: string;
}

/** One row for each client, or several where its runs differ. */
export function yourClientTable(results: readonly LongResult[]): string[] {
  const shown = results.filter(({ of }) => 'client' in of || of.manner.runsHere !== true);
  // Clients that people use come before those that people build with.
  const inOrder = [...shown.filter(({ of }) => 'manner' in of), ...shown.filter(({ of }) => 'client' in of)];
  const byClient = Map.groupBy(inOrder, ({ of }) => ('client' in of ? of.client.title : of.manner.title));
  const rows = [...byClient.values()].flatMap((ofClient) => {
    const alike = Map.groupBy(ofClient, (result) => JSON.stringify([cellOf(result, 'long'), cellOf(result, 'question')]));
    return [...alike.values()].map((group) => rowOf(group, alike.size > 1));
  });
  return [
    ...HEAD,
    ...rows.map(({ client, long, question, setting, checked }) => `| ${[client, long, question, setting, checked].join(' | ')} |`),
  ];
}

function rowOf(group: readonly LongResult[], isOneOfSeveral: boolean): Row {
  const [first] = group;
  if (first === undefined) throw new Error('a group has at least one result');
  const { of } = first;
  const runs = group.map(({ of: one }) => runOf(one)).join(', ');
  const where = isOneOfSeveral ? ` (${runs})` : '';
  const cells = { long: cellOf(first, 'long'), question: cellOf(first, 'question') };
  if ('client' in of) {
    const [title, version] = rowHead(of.client);
    return { client: `${title}${where}`, ...cells, setting: of.client.setting ?? '', checked: `Run: ${version}` };
  }
  const { title, setting = '', assumed } = of.manner;
  const checked = `Played${assumed === undefined ? '' : `; assumed: ${assumed}`}`;
  return { client: `${title}${where}`, ...cells, setting, checked };
}

function runOf(of: LongClient): string {
  return 'client' in of ? `${of.run.transport} ${of.run.protocolVersion}` : of.transport;
}

function cellOf({ outcomes }: LongResult, scenario: 'long' | 'question'): string {
  const outcome = outcomes.find((candidate) => candidate.scenario === scenario);
  if (outcome?.outcome === 'unsupported') return `None: ${outcome.detail}`;
  if (outcome?.outcome !== 'passed') return '–';
  return scenario === 'long' ? describeSeen(outcome.seen as Seen) : questionOf(outcome);
}

function questionOf({ seen }: Outcome): string {
  const { called } = seen as Seen;
  if (called.some((name) => name.endsWith('task_view'))) return '[A page](#questions) within the client';
  return called.some((name) => name.endsWith('task_answer')) ? '[Your model asks you](#questions)' : 'A form';
}
