import { createCleanup } from '../processes/cleanup.js';
import { localName } from '../operators/api/local-name.js';
import { columnsOf } from '../operators/output/table.js';
import { readSettings } from '../settings.js';
import { UserError } from '../user-error.js';
import type { Terminal } from '../terminal.js';

const NO_KEYS = 'LONGHAUL_KEYS is not set: nothing is encrypted';

/**
 * `longhaul keys`: shows which key of `LONGHAUL_KEYS` is still used, and by how much. `longhaul keys rewrap`: wraps all data keys with the
 * key that writes, so that the other keys can be removed.
 *
 * @returns 1 when a key is missing
 * @throws UserError when the store or a key cannot be used
 */
export async function keys(verb: 'show' | 'rewrap', terminal: Terminal): Promise<number> {
  const settings = readSettings(terminal.env, terminal.cwd);
  if (settings.gateway.atRest === undefined) throw new UserError(NO_KEYS);
  const cleanup = createCleanup();
  try {
    // Loaded only here, like everything that help and the other commands do without.
    const [{ openStore }, { AuditWriter, keyUsages, rewrap }] = await Promise.all([import('@longhaul/store'), import('@longhaul/tasks')]);
    const onError = (error: unknown): void => terminal.err(`longhaul: ${String(error)}`);
    const store = await openStore(settings.gateway, { role: 'gateway', onError });
    cleanup.add(() => store.close());
    const { dataKeys, keyRing } = store;
    if (keyRing === undefined) throw new UserError(NO_KEYS);
    if (verb === 'rewrap') {
      const audit = new AuditWriter({ log: store.audit, chain: 'operators', keep: settings.gateway.auditEntries, onError });
      cleanup.add(() => audit.close());
      const { rewrapped, unchanged, failed } = await rewrap(dataKeys, keyRing);
      audit.record({
        who: localName(),
        action: 'keys.rewrap',
        target: keyRing.current.id,
        reason: '',
        outcome: 'done',
        details: { rewrapped, unchanged, failed: failed.length },
      });
      terminal.out(`${rewrapped} data keys wrapped by ${keyRing.current.name}, ${unchanged} were already`);
      for (const { scope, reason } of failed) terminal.err(`longhaul: ${scope}: ${reason}`);
      return failed.length > 0 ? 1 : 0;
    }
    const usages = await keyUsages(dataKeys, keyRing);
    const rows = usages.map(({ name, id, standing, dataKeys: count, scopes }) => [name, id, standing, String(count), shown(scopes, count)]);
    for (const line of columnsOf([['KEY', 'ID', 'STANDING', 'DATA KEYS', 'OF'], ...rows])) terminal.out(line);
    return usages.some(({ standing }) => standing === 'missing') ? 1 : 0;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(error instanceof Error ? error.message : String(error));
  } finally {
    for (const failure of await cleanup.run()) terminal.err(`longhaul: while ending: ${String(failure)}`);
  }
}

function shown(scopes: readonly string[], count: number): string {
  const more = count - scopes.length;
  return more > 0 ? `${scopes.join(', ')} and ${more} more` : scopes.join(', ');
}
