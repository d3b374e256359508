import type { FeatureList } from '../client-notifications.js';

/** A hash of each list. */
export type ListHashes = Readonly<Record<FeatureList, string>>;

/** What the gateway of the deployment that started last lists. */
export interface ShownLists {
  /** Empty before the first gateway. */
  read(): Promise<Readonly<Partial<ListHashes>>>;
  write(hashes: ListHashes): Promise<void>;
}
