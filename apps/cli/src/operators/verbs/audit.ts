/** Implements `audit`, `audit verify` and `audit export`. */
import { withoutByteOrderMark } from '@longhaul/runtime/byte-order-mark';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AuditEntry, AuditReport } from '@longhaul/operator';
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
import { filterOf, limitOf } from '../command-line/flags.js';
import type { VerbContext } from '../command-line/verb.js';
import { writeBody } from '../output/write-body.js';

const PAGE = 200;

/** `audit`. */
export async function listAudit({ api, given, output }: VerbContext): Promise<number> {
  const limit = limitOf(given);
  const entries: AuditEntry[] = [];
  for (let before: string | undefined; ;) {
    const page: { entries: readonly AuditEntry[]; next?: string } = await api.get('/audit', {
      before,
      by: given.value('by'),
      limit: Math.min(PAGE, limit - entries.length),
    });
    entries.push(...page.entries);
    before = page.next;
    if (before === undefined || entries.length >= limit) break;
  }
  output.list(
    entries,
    [
      { title: 'AT', text: ({ at }) => at },
      { title: 'WHO', text: ({ who }) => who },
      { title: 'ACTION', text: ({ action }) => action },
      { title: 'TARGET', text: ({ target }) => target },
      { title: 'OUTCOME', text: ({ outcome }) => outcome },
      { title: 'REASON', width: 60, text: ({ reason }) => reason },
    ],
    { entries },
  );
  return EXIT.ok;
}

/** `audit verify`: exit code 1 when something was changed. */
export async function verifyAudit({ api, given, output, terminal }: VerbContext): Promise<number> {
  const file = given.value('anchors');
  const anchors = file === undefined ? [] : await anchorsIn(resolve(terminal.cwd, file));
  const answer = await api.post<{ isWhole: boolean; chains: readonly AuditReport[] }>('/audit/verify', { anchors });
  const { chains, isWhole } = answer;
  output.list(
    chains,
    [
      { title: 'CHAIN', text: ({ chain }) => chain },
      { title: 'RECORDS', text: ({ checked }) => String(checked) },
      { title: 'LAST', text: ({ head }) => String(head.number) },
      { title: 'HASH OF THE LAST', width: 64, text: ({ head }) => head.hash },
      { title: 'FOUND', width: 200, text: foundText },
    ],
    answer,
  );
  return isWhole ? EXIT.ok : EXIT.error;
}

/** `audit export [FILE]`: to standard output without a file. */
export async function exportAudit({ api, given, terminal, signal }: VerbContext): Promise<number> {
  const { since, before } = filterOf(given);
  const wanted = { format: given.value('format') ?? 'jsonl', by: given.value('by'), since, before };
  const body = await api.bytes('/audit/export', signal, wanted);
  await writeBody(body, given.words[0], terminal);
  return EXIT.ok;
}

function foundText({ faults, faultCount, outdatedAnchors }: AuditReport): string {
  const listed = faults.slice(0, 5).map(({ kind, number, to }) => `${kind} ${number}${to === undefined || to === number ? '' : `–${to}`}`);
  const more = faultCount > listed.length ? [`${faultCount - listed.length} more`] : [];
  const outdated = outdatedAnchors > 0 ? [`${outdatedAnchors} anchors are older than what is kept`] : [];
  return [...(faultCount === 0 ? ['whole'] : []), ...listed, ...more, ...outdated].join(', ');
}

/** The output of `audit verify --json`. @throws UserError */
async function anchorsIn(path: string): Promise<readonly object[]> {
  try {
    const { chains } = JSON.parse(withoutByteOrderMark(await readFile(path, 'utf8'))) as { readonly chains: readonly AuditReport[] };
    return chains
      .filter(({ head }) => head.number > 0)
      .map(({ chain, head, base }) => ({ chain, number: head.number, hash: head.hash, base }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${path}: is not what "longhaul audit verify --json" prints: ${why}`, EXIT.usage);
  }
}
