import type { OwnerCollections } from '@longhaul/tasks';
import type { Cleanup } from './processes/cleanup.js';
import { readSettings } from './settings.js';
import type { Terminal } from './terminal.js';
import { withDataOfUser } from './user-data-folder.js';
import { UserError } from './user-error.js';

/** The records of a caller, and the settings of features. */
export interface OpenedCollections {
  readonly collections: OwnerCollections;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Opens the store, for what a caller keeps there. The caller is named in `LONGHAUL_TOKENS`, or is the user of `longhaul stdio`.
 *
 * @throws UserError for an unknown caller; Error when the store cannot be used
 */
export async function openCollections(owner: string | undefined, terminal: Terminal, cleanup: Cleanup): Promise<OpenedCollections> {
  // Without an owner it is about the user of `longhaul stdio`.
  const settings = readSettings(owner === undefined ? withDataOfUser(terminal.env, terminal.cwd) : terminal.env, terminal.cwd);
  const { tokens } = settings.gateway;
  if (owner !== undefined && tokens !== undefined && ![...tokens.values()].includes(owner))
    throw new UserError(`--owner ${JSON.stringify(owner)}: LONGHAUL_TOKENS has no such name`);
  // Loaded only here, like everything that help and the other commands do without.
  const [{ openStore }, { createOwnerStore, LOCAL_OWNER, ownerOfUser }] = await Promise.all([
    import('@longhaul/store'),
    import('@longhaul/sessions'),
  ]);
  const onError = (error: unknown): void => terminal.err(`longhaul: ${String(error)}`);
  const store = await openStore(settings.gateway, { role: 'gateway', onError });
  cleanup.add(() => store.close());
  const id = owner === undefined ? LOCAL_OWNER : ownerOfUser(owner);
  return { collections: createOwnerStore(store.ownerRecords).of({ id }), env: settings.env };
}
