import { EXIT } from '../api/exit-codes.js';
import { withFeatures } from '../../with-features.js';
import type { LocalContext } from '../command-line/verb.js';
import { readSettings } from '../../settings.js';
import { UserError } from '../../user-error.js';
import { historyFile } from './histories.js';

/** `replay FILE`: compares an exported history with the code of this machine. @returns 1 when it does not fit */
export async function replayFile(context: LocalContext): Promise<number> {
  const { given, output, terminal } = context;
  const { env, cwd } = withFeatures(terminal, given.value('features'));
  const { worker } = readSettings(env, cwd);
  const [{ readHistoryDocument }, { loadFeatures }, { replayHistory }, { createOwnerContexts }, { openMemoryStore }] = await Promise.all([
    import('@longhaul/operator/exported-history'),
    import('@longhaul/mcp-features'),
    import('@longhaul/tasks/simulation'),
    import('@longhaul/sessions'),
    import('@longhaul/store-sqlite'),
  ]);
  const read = readHistoryDocument(await historyFile(context));
  if ('problem' in read) throw new UserError(`${given.words[0]} is no exported history: ${read.problem}`, EXIT.usage);
  const { tool, taskId, events } = read.history;
  const { features } = await loadFeatures(worker.featureModules, import.meta.url).catch((error: unknown) => {
    throw new UserError(error instanceof Error ? error.message : String(error), EXIT.usage);
  });
  const workflow = features.workflow(tool);
  if (workflow === undefined)
    throw new UserError(`${worker.featureModules.join(', ')}: there is no durable tool "${tool}"; --features says where it is`, EXIT.usage);
  const store = openMemoryStore();
  try {
    const owners = createOwnerContexts(store, () => undefined);
    const verdict = await replayHistory({ store, taskId, events, workflow, sessionValues: store.sessionState, owners }).catch(
      (error: unknown) => {
        throw error instanceof RangeError ? new UserError(`${given.words[0]}: ${error.message}`, EXIT.usage) : error;
      },
    );
    output.say(`${tool}, ${events.length} events: ${verdict.message}`, { tool, taskId, events: events.length, ...verdict });
    return verdict.fits ? EXIT.ok : EXIT.error;
  } finally {
    await store.close();
  }
}
