/** How to run a pass whose process died: first together with the others that it held, then alone. */
export function nextTrial({ trials }) {
    return trials.together || trials.alone > 0 ? 'alone' : 'together';
}
//# sourceMappingURL=next-trial.js.map