import { AS_IT_IS, notGenuine, whenReady } from '../ports/payload-codec.js';
/** The text of a view, JSON. */
export function viewText(view, seal) {
    if (seal === AS_IT_IS)
        return JSON.stringify(view);
    const { statusMessage, progress, progressToken, traceState, pendingInputs, standing, ending, ...plain } = view;
    const { asks, ...placed } = standing;
    const { message, ...ended } = ending ?? {};
    const hasPayload = [statusMessage, progress, progressToken, traceState, asks, message].some((part) => part !== undefined) || pendingInputs.length > 0;
    if (!hasPayload)
        return JSON.stringify(view);
    const said = seal(JSON.stringify({ statusMessage, progress, progressToken, traceState, pendingInputs, asks, message }), placeOf(view));
    return JSON.stringify({ ...plain, pendingInputs: [], standing: placed, ending: ending && ended, said });
}
/** The view that was kept of a task at a version. @throws TaskError `VALUE_NOT_GENUINE` for that of another one, and what the codec throws */
export function viewFrom(codec, of, text) {
    const kept = text.startsWith('{') ? JSON.parse(text) : undefined;
    if (kept?.taskId !== of.taskId || kept.version !== of.version)
        throw notGenuine(placeOf(of));
    return openedView(codec, kept);
}
/** The view as it was before it was kept. @throws what the codec throws */
export function openedView(codec, { said, ...view }) {
    if (said === undefined)
        return view;
    return whenReady(codec.open(said, placeOf(view)), (text) => {
        const { asks, message, ...own } = JSON.parse(text);
        const { standing, ending } = view;
        return {
            ...view,
            ...own,
            standing: asks === undefined ? standing : { ...standing, asks },
            ...(ending !== undefined && { ending: message === undefined ? ending : { ...ending, message } }),
        };
    });
}
function placeOf({ taskId, version }) {
    return { kind: 'task', id: taskId, field: 'view', version };
}
//# sourceMappingURL=view-text.js.map