import { type Clock, FIELD_LIMITS, type Json } from '@longhaul/tasks';
import { accountFull, SESSION_STATE_TTL_MS, sessionFull, type SessionState, valueText } from '../ports/session-state.js';

/** `SessionState` in memory. */
export class MemorySessionState implements SessionState {
  readonly #sessions = new Map<string, { readonly values: Map<string, string>; account: string; expiresAt: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly ttlMs = SESSION_STATE_TTL_MS,
    private readonly maxAccountBytes: number = FIELD_LIMITS.accountSessionBytes,
  ) {}

  async get(session: string, name: string): Promise<Json | undefined> {
    const json = this.#live(session)?.values.get(name);
    return json === undefined ? undefined : (JSON.parse(json) as Json);
  }

  async set(session: string, name: string, value: Json, account = session): Promise<void> {
    const found = this.#live(session) ?? { values: new Map<string, string>(), account, expiresAt: this.clock() + this.ttlMs };
    const json = valueText(value);
    const others = [...found.values].filter(([other]) => other !== name);
    if (others.length >= FIELD_LIMITS.sessionValues) throw sessionFull('too-many');
    const bytes = bytesOf([...others, [name, json]]);
    if (bytes > FIELD_LIMITS.sessionBytes) throw sessionFull('too-large');
    if (bytes + this.#bytesOfOthers(session, account) > this.maxAccountBytes) throw accountFull(this.maxAccountBytes);
    found.values.set(name, json);
    found.account = account;
    this.#sessions.set(session, found);
  }

  async add(session: string, name: string, value: Json, account = session): Promise<boolean> {
    if (this.#live(session)?.values.has(name) === true) return false;
    await this.set(session, name, value, account);
    return true;
  }

  async delete(session: string, name: string): Promise<boolean> {
    return this.#live(session)?.values.delete(name) ?? false;
  }

  async names(session: string, prefix: string): Promise<readonly string[]> {
    const names = [...(this.#live(session)?.values.keys() ?? [])];
    return names.filter((name) => name.startsWith(prefix)).toSorted();
  }

  async keep(session: string, ms: number): Promise<void> {
    const found = this.#live(session);
    if (found !== undefined) found.expiresAt = this.clock() + ms;
  }

  async clear(session: string): Promise<void> {
    this.#sessions.delete(session);
  }

  #bytesOfOthers(session: string, account: string): number {
    const others = [...this.#sessions.keys()].filter((other) => other !== session && this.#live(other)?.account === account);
    return others.reduce((sum, other) => sum + bytesOf([...(this.#live(other)?.values ?? [])]), 0);
  }

  #live(session: string) {
    const found = this.#sessions.get(session);
    if (found === undefined || found.expiresAt > this.clock()) return found;
    this.#sessions.delete(session);
    return undefined;
  }
}

function bytesOf(entries: readonly (readonly [name: string, json: string])[]): number {
  return entries.reduce((sum, [name, json]) => sum + Buffer.byteLength(name) + Buffer.byteLength(json), 0);
}
