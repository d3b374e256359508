/**
 * Measures Longhaul in both protocol versions, compared with the parts it is built on: raw BullMQ, bare Fastify routes, and a bare script
 * of the design. All of them run at the same time and are measured in turn. `--sqlite` adds a data file; `--beside PATH` adds another built
 * clone; `--rows PATTERN` measures only the rows with matching ids.
 *
 * Machines are shared and noisy: trust the CPU figures and the ratios of one run, not the rates.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIGURES, figuresBeside } from './ratios.js';
import { readOptions } from './options.js';
import { figureTable, machine, type Result, resultOf, rowTable } from './report.js';
import { measureRound, type Round } from './rounds.js';
import { fastifyRows, listRows, longhaulRows, rawRows, type Rows, scriptRows } from './rows.js';
import { measureSteps } from './steps.js';
import {
  startFastify,
  startGateway,
  startLonghaul,
  startLonghaulOnFile,
  startRaw,
  startScript,
  type Subject,
} from './subjects/subjects.js';

const values = readOptions({
  rounds: 5,
  ms: 3_000,
  'warm-up-ms': 1_000,
  concurrency: 32,
  rows: '',
  beside: undefined,
  sqlite: false,
  check: false,
  record: false,
});
const phase = { ms: values.ms, warmUpMs: values['warm-up-ms'] };
const concurrency = values.concurrency;

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What `--record` writes and `--check` compares with. */
const RECORD = `${root}/bench/ratios.json`;
/** By how much a figure may be worse than the recorded one. */
const TOLERANCE = 1.15;
const BESIDE = 'other ';
const ON_FILE = 'sqlite ';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const subjects: Subject[] = [];
const opened: Rows[] = [];

async function begun<Started extends Subject>(starting: Promise<Started>): Promise<Started> {
  const subject = await starting;
  subjects.push(subject);
  return subject;
}

try {
  await bench();
} finally {
  for (const rows of opened) rows.close();
  for (const subject of subjects) await subject.stop();
}

async function bench(): Promise<void> {
  opened.push(rawRows(await begun(startRaw()), concurrency));
  opened.push(await scriptRows(await begun(startScript()), concurrency));
  opened.push(fastifyRows(await begun(startFastify()), concurrency));
  const longhaul = await begun(startLonghaul(root));
  opened.push(await longhaulRows(longhaul, concurrency));
  opened.push(await listRows(await begun(startGateway(root)), concurrency));
  const { beside } = values;
  if (beside !== undefined) opened.push(await longhaulRows(await begun(startLonghaul(beside)), concurrency, BESIDE));
  if (values.sqlite) opened.push(await longhaulRows(await begun(startLonghaulOnFile(root)), concurrency, ON_FILE));
  const wanted = new RegExp(values.rows);
  const rows = opened.flatMap((each) => each.rows).filter(({ id }) => wanted.test(id));
  const rounds: Round[] = [];
  for (let round = 1; round <= values.rounds; round++)
    rounds.push(await measureRound(rows, phase, ({ id }) => process.stderr.write(`round ${round}: ${id}\n`)));
  const ids = rows.map(({ id }) => id);
  const figures = [...FIGURES, ...figuresBeside(ids, BESIDE, 'the other build'), ...figuresBeside(ids, ON_FILE, 'a data file')].filter(
    (figure) => figure.rows.every((id) => ids.includes(id)),
  );
  const results = new Map<string, Result>(figures.map((figure) => [figure.id, resultOf(rounds.map((round) => figure.of(round)))]));

  say(`${machine()}; ${rounds.length} rounds of ${phase.ms} ms a row, ${concurrency} at once unless said\n`);
  say(rowTable(rows, rounds));
  say(`\n${figureTable(figures, results)}`);
  say(
    `\nA task of 3,000 steps, time of one at the end / at the beginning: ${(await measureSteps(longhaul.url)).toFixed(2)} (wanted at most 1.2)`,
  );
  const medians = Object.fromEntries(figures.map(({ id }) => [id, Number(results.get(id)?.median.toFixed(3))]));
  if (values.record)
    writeFileSync(RECORD, `${JSON.stringify({ machine: machine(), date: new Date().toISOString().slice(0, 10), medians }, null, 2)}\n`);
  if (values.check) check(medians);
}

/** Sets the exit code when a figure is worse than it was. */
function check(medians: Readonly<Record<string, number>>): void {
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as { readonly medians: Readonly<Record<string, number>> };
  const worse = Object.entries(recorded.medians).filter(([id, was]) => !((medians[id] ?? Number.NaN) <= was * TOLERANCE));
  for (const [id, was] of worse) say(`FAILED  ${id}: ${medians[id]}, and ${was} in bench/ratios.json`);
  if (worse.length > 0) process.exitCode = 1;
  else say('No figure is more than 15 % worse than in bench/ratios.json.');
}
