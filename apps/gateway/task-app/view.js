/** What is on the page: the task, and a form for each of its questions. */
import { createFields, element } from './form.js';

/** @typedef {{ readonly key: string, readonly message: string, readonly requestedSchema?: import('./form.js').Schema, readonly url?: string }} Question */
/** @typedef {{ readonly taskId: string, readonly tool: string, readonly status: string, readonly message?: string, readonly progress?: { readonly progress: number, readonly total?: number, readonly message?: string }, readonly lastUpdatedAt: string, readonly questions: readonly Question[], readonly result?: string, readonly pollIntervalMs: number }} Task */
/** @typedef {{ readonly action: 'accept' | 'decline', readonly content?: Record<string, unknown> }} Answer */
/** @typedef {{ show(task: Task): void, showProblem(text: string): void }} View */

/**
 * @param {(question: Question, answer: Answer) => Promise<void>} onAnswer
 * @returns {View}
 */
export function createView(onAnswer) {
  const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  let asked = '';
  return {
    show({ tool, status, message, progress, questions, result }) {
      setText(at('tool'), tool);
      setText(at('status'), status.replace('_', ' '));
      setText(at('message'), message ?? progress?.message ?? '');
      showProgress(/** @type {HTMLProgressElement} */ (at('progress')), progress, status);
      // What somebody enters stays there as long as the same is asked.
      const now = JSON.stringify(questions);
      if (now !== asked) at('questions').replaceChildren(...questions.map((question) => shownQuestion(question, onAnswer)));
      asked = now;
      setText(at('result'), result ?? '');
      at('result').hidden = result === undefined;
      setText(at('problem'), '');
    },
    showProblem: (text) => setText(at('problem'), text),
  };
}

/**
 * Only what is new, so that it is announced once.
 *
 * @param {HTMLElement} shown
 * @param {string} text
 */
function setText(shown, text) {
  if (shown.textContent !== text) shown.textContent = text;
}

/**
 * @param {HTMLProgressElement} bar
 * @param {Task['progress']} progress
 * @param {string} status
 */
function showProgress(bar, progress, status) {
  bar.hidden = progress === undefined || status !== 'working';
  if (progress?.total === undefined) bar.removeAttribute('value');
  else Object.assign(bar, { max: progress.total, value: progress.progress });
}

/**
 * @param {Question} question
 * @param {(question: Question, answer: Answer) => Promise<void>} onAnswer
 */
function shownQuestion(question, onAnswer) {
  const { message, requestedSchema, url } = question;
  const fields = createFields(requestedSchema ?? {});
  const { form } = fields;
  const wrong = element('p', { className: 'wrong', role: 'alert' });
  /** @type {HTMLButtonElement[]} */
  const buttons = [];
  const give = async (/** @type {Answer['action']} */ action) => {
    const content = action === 'accept' && url === undefined ? fields.read() : {};
    if (content === undefined) return;
    for (const button of buttons) button.disabled = true;
    try {
      await onAnswer(question, { action, ...(action === 'accept' && url === undefined && { content }) });
    } catch (error) {
      wrong.textContent = error instanceof Error ? error.message : String(error);
      for (const button of buttons) button.disabled = false;
    }
  };
  const button = (/** @type {string} */ text, /** @type {Answer['action']} */ action) =>
    element('button', { type: 'button', onclick: () => void give(action) }, [text]);
  buttons.push(button(url === undefined ? 'Answer' : 'Open', 'accept'), button('Decline', 'decline'));
  form.prepend(element('p', {}, [message]), ...(url === undefined ? [] : [element('p', {}, [url])]));
  form.append(wrong, ...buttons);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    void give('accept');
  });
  return form;
}
