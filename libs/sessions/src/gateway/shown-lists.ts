import type { FeatureList } from '../client-notifications.js';

/** A hash of each list. */
export type ListHashes = Readonly<Record<FeatureList, string>>;

/** The lists of the gateway that started last in the deployment. */
export interface ShownLists {
  /** Empty before the first gateway. */
  read(): Promise<Readonly<Partial<ListHashes>>>;
  write(hashes: ListHashes): Promise<void>;
}
