import type { DataKeyRecord, DataKeyStore } from '../ports/data-keys.js';

/** `DataKeyStore` in memory. */
export class MemoryDataKeys implements DataKeyStore {
  /** In the order in which they were added. */
  readonly #records = new Map<string, DataKeyRecord>();

  async find(id: string): Promise<DataKeyRecord | undefined> {
    return this.#records.get(id);
  }

  async ofScope(scope: string): Promise<readonly DataKeyRecord[]> {
    return this.#ofScope(scope);
  }

  async add(record: DataKeyRecord): Promise<readonly DataKeyRecord[]> {
    const kept = this.#ofScope(record.scope);
    return kept.length > 0 ? kept : this.putBack(record);
  }

  async putBack(record: DataKeyRecord): Promise<readonly DataKeyRecord[]> {
    if (!this.#records.has(record.id)) this.#records.set(record.id, record);
    return this.#ofScope(record.scope);
  }

  async replace(was: DataKeyRecord, record: DataKeyRecord): Promise<boolean> {
    if (this.#records.get(was.id)?.wrapped !== was.wrapped) return false;
    this.#records.set(was.id, record);
    return true;
  }

  async *all(): AsyncIterable<readonly DataKeyRecord[]> {
    yield [...this.#records.values()];
  }

  #ofScope(scope: string): readonly DataKeyRecord[] {
    return [...this.#records.values()].filter((record) => record.scope === scope);
  }
}
