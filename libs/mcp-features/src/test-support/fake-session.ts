import type { Json } from '@longhaul/tasks';
import type { FeatureList, SessionContext } from '../authoring/request-context.js';

/** A session in memory that remembers what it was told. */
export class FakeSession implements SessionContext {
  readonly id = 'session';
  readonly values = new Map<string, Json>();
  readonly subscribed: string[] = [];
  readonly jobs = new Set<string>();
  /** The lists of which the client was told that they look different. */
  readonly changed: FeatureList[] = [];

  async get(name: string): Promise<Json | undefined> {
    return structuredClone(this.values.get(name));
  }

  async set(name: string, value: Json): Promise<void> {
    this.values.set(name, structuredClone(value));
  }

  async delete(name: string): Promise<void> {
    this.values.delete(name);
  }

  async names(prefix: string): Promise<readonly string[]> {
    return [...this.values.keys()].filter((name) => name.startsWith(prefix)).toSorted();
  }

  async subscriptions(): Promise<readonly string[]> {
    return this.subscribed;
  }

  listChanged(list: FeatureList): void {
    this.changed.push(list);
  }

  async startJob(name: string): Promise<boolean> {
    if (this.jobs.has(name)) return false;
    this.jobs.add(name);
    return true;
  }

  async stopJob(name: string): Promise<boolean> {
    return this.jobs.delete(name);
  }
}
