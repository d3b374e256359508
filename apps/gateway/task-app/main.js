/** Shows the task that the host names, and follows its state until it has ended. */
import { connectHost } from './host.js';
import { createView } from './view.js';

const PROTOCOL_VERSION = '2026-01-26';
const ENDED = new Set(['completed', 'failed', 'cancelled']);
/** After an error of the host it is tried again this much later, milliseconds. */
const RETRY_MS = 3_000;

/** @type {import('./view.js').Task | undefined} */
let shown;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let nextLook;
let isOver = false;

const host = connectHost(
  {
    'ui/notifications/tool-result': (result) => (result.isError === true ? view.showProblem(textOf(result)) : take(result)),
    'ui/notifications/host-context-changed': applyContext,
  },
  () => {
    isOver = true;
    clearTimeout(nextLook);
  },
);

const view = createView(async ({ key, url }, answer) => {
  if (url !== undefined && answer.action === 'accept') await host.request('ui/open-link', { url });
  take(await call('task_answer', { taskId: shown?.taskId, key, ...answer }));
});

/**
 * @param {string} name
 * @param {Readonly<Record<string, unknown>>} args
 * @returns {Promise<any>} the result of the tool. Rejects with what it says is wrong
 */
async function call(name, args) {
  const result = await host.request('tools/call', { name, arguments: args });
  if (result?.isError === true) throw new Error(textOf(result));
  return result;
}

/** @param {any} result */
function textOf({ content }) {
  return content?.[0]?.text ?? 'The server has answered with an error.';
}

async function look() {
  try {
    take(await call('task_view', { taskId: shown?.taskId }));
  } catch (error) {
    view.showProblem(error instanceof Error ? error.message : String(error));
    lookIn(RETRY_MS);
  }
}

/** @param {number} ms */
function lookIn(ms) {
  clearTimeout(nextLook);
  if (!isOver) nextLook = setTimeout(() => void look(), ms);
}

/** @param {any} result of one of the tools */
function take(result) {
  const task = /** @type {import('./view.js').Task | undefined} */ (result?.structuredContent);
  if (task?.taskId === undefined) return;
  // An answer and a look may overtake each other.
  if (shown?.taskId === task.taskId && shown.lastUpdatedAt > task.lastUpdatedAt) return;
  shown = task;
  view.show(task);
  if (ENDED.has(task.status)) clearTimeout(nextLook);
  else lookIn(task.pollIntervalMs);
}

/** @param {any} context of the host, or what has changed of it */
function applyContext({ theme, styles } = {}) {
  const root = document.documentElement;
  if (theme !== undefined) root.style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value);
}

const { hostContext } = await host.request('ui/initialize', {
  protocolVersion: PROTOCOL_VERSION,
  appInfo: { name: 'longhaul-task', version: '1' },
  appCapabilities: { availableDisplayModes: ['inline'] },
});
applyContext(hostContext);
host.notify('ui/notifications/initialized', {});
new ResizeObserver(() => {
  const { offsetWidth: width, offsetHeight: height } = document.body;
  host.notify('ui/notifications/size-changed', { width, height });
}).observe(document.body);
