/** Pauses the queue or one tool, and says on every view what is paused. */
import type { Queue } from '../../../src/answers.js';
import { get, post } from '../api/client.js';
import { usePolled } from '../api/loaded.js';
import { linkTo } from '../router.js';
import { Act } from './act.js';
import { Icon } from './icon.js';

const EVERY_MS = 5_000;

interface ToggleProps {
  readonly isPaused: boolean;
  readonly of: string;
  readonly tool?: string;
  readonly changed: () => void;
}

export function PauseToggle({ isPaused, of, tool, changed }: ToggleProps) {
  const act = async (reason: string): Promise<void> => {
    await post(`queue/${isPaused ? 'resume' : 'pause'}`, { tool, reason });
    changed();
  };
  return isPaused ? (
    <Act key="resume" label={`Resume ${of}`} done={`Workers take tasks of ${of} again.`} act={act} />
  ) : (
    <Act key="pause" label={`Pause ${of}`} done={`Paused: ${of}.`} isGrave act={act}>
      <p class="quiet">Running work continues. Workers take nothing new until you resume.</p>
    </Act>
  );
}

/** @param tool of the view; absent on views of all tools */
export function PausedNote({ tool }: { readonly tool?: string | undefined }) {
  const queue = usePolled((signal) => get<Queue>('queue', {}, signal), [], EVERY_MS);
  const { all = false, tools = [] } = queue.data.value?.paused ?? {};
  const concerned = tool === undefined ? tools : tools.filter((name) => name === tool);
  if (!all && concerned.length === 0) return null;
  return (
    <p class="paused" role="status">
      <Icon name="paused" /> {all ? 'The queue is paused: workers take nothing new.' : `Paused: ${concerned.join(', ')}.`}{' '}
      <a href={linkTo(['workers'])}>Workers and queue</a>
    </p>
  );
}
