import type { DataKeyRecord, DataKeyStore } from '../ports/data-keys.js';

/** `DataKeyStore` in memory. */
export class MemoryDataKeys implements DataKeyStore {
  readonly #records = new Map<string, DataKeyRecord>();

  async find(id: string): Promise<DataKeyRecord | undefined> {
    return this.#records.get(id);
  }

  async add(record: DataKeyRecord): Promise<DataKeyRecord> {
    const kept = this.#records.get(record.id) ?? record;
    this.#records.set(record.id, kept);
    return kept;
  }

  async replace(was: DataKeyRecord, record: DataKeyRecord): Promise<boolean> {
    if (this.#records.get(was.id)?.wrapped !== was.wrapped) return false;
    this.#records.set(was.id, record);
    return true;
  }

  async *all(): AsyncIterable<readonly DataKeyRecord[]> {
    yield [...this.#records.values()];
  }
}
