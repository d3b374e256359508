import type { Clock, DataFile } from '@longhaul/tasks';

/** What each part of the state is kept with. */
export interface SqliteStateDeps {
  readonly file: DataFile;
  readonly clock: Clock;
}
