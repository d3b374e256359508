import type { AuditChain, AuditHead, AuditLog } from '@longhaul/tasks';
import { type Appended, type ChainedText, type ChainState, type KeptRecord, NO_HEAD } from '@longhaul/tasks/store';
import { type TaskFile, whileUsable, writing } from './task-file.js';

interface ChainRow {
  readonly number: number;
  readonly hash: string;
  readonly base_number: number;
  readonly base_hash: string;
}

/** `AuditLog` in a data file. */
export class SqliteAuditLog implements AuditLog {
  constructor(private readonly file: TaskFile) {}

  append(chain: AuditChain, after: AuditHead, added: readonly ChainedText[], keep: number): Promise<Appended> {
    const { database } = this.file;
    return writing(this.file, () => {
      const { head, base } = this.#state(chain);
      if (head.number !== after.number || head.hash !== after.hash)
        return { isTaken: this.#hashAt(chain, after.number + 1) === added[0]?.hash, head };
      let { number } = head;
      for (const { hash, text } of added) {
        number += 1;
        database.run('INSERT INTO audit_records (chain, number, hash, entry) VALUES (?, ?, ?, ?)', chain, number, hash, text);
      }
      const newHead = { number, hash: added.at(-1)?.hash ?? head.hash };
      const gone = number - keep;
      const newBase = gone > base.number ? { number: gone, hash: this.#hashAt(chain, gone) ?? '' } : base;
      if (newBase !== base) database.run('DELETE FROM audit_records WHERE chain = ? AND number <= ?', chain, newBase.number);
      database.run(
        `INSERT INTO audit_chains (chain, number, hash, base_number, base_hash) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (chain) DO UPDATE SET number = excluded.number, hash = excluded.hash, base_number = excluded.base_number, base_hash = excluded.base_hash`,
        chain,
        newHead.number,
        newHead.hash,
        newBase.number,
        newBase.hash,
      );
      return { isTaken: true, head: newHead };
    });
  }

  state(chain: AuditChain): Promise<ChainState> {
    return whileUsable(() => this.#state(chain));
  }

  after(chain: AuditChain, number: number, limit: number): Promise<readonly KeptRecord[]> {
    const sql = 'SELECT number, hash, entry AS text FROM audit_records WHERE chain = ? AND number > ? ORDER BY number LIMIT ?';
    return whileUsable(() => this.file.database.all(sql, chain, number, limit) as unknown as KeptRecord[]);
  }

  before(chain: AuditChain, number: number, limit: number): Promise<readonly KeptRecord[]> {
    const sql = 'SELECT number, hash, entry AS text FROM audit_records WHERE chain = ? AND number < ? ORDER BY number DESC LIMIT ?';
    return whileUsable(() => this.file.database.all(sql, chain, number, limit) as unknown as KeptRecord[]);
  }

  #state(chain: AuditChain): ChainState {
    const row = this.file.database.get('SELECT number, hash, base_number, base_hash FROM audit_chains WHERE chain = ?', chain) as
      ChainRow | undefined;
    if (row === undefined) return { head: NO_HEAD, base: NO_HEAD };
    return { head: { number: row.number, hash: row.hash }, base: { number: row.base_number, hash: row.base_hash } };
  }

  #hashAt(chain: AuditChain, number: number): string | undefined {
    const row = this.file.database.get('SELECT hash FROM audit_records WHERE chain = ? AND number = ?', chain, number);
    return row?.['hash'] as string | undefined;
  }
}
