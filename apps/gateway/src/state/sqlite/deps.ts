import type { DataFile } from '@longhaul/sessions';
import type { Clock } from '@longhaul/tasks';

/** What each part of the state is kept with. */
export interface SqliteStateDeps {
  readonly file: DataFile;
  readonly clock: Clock;
}
