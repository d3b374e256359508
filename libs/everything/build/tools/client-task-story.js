/** @throws TaskError `INPUT_FAILED` when the client answers with an error */
export async function clientTaskStory(context, { request, ttlMs, maxPolls, shown, isWorthALine = () => true }) {
    const lines = [];
    let polls = 0;
    const onStatus = (task) => {
        if (lines.length === 0) {
            lines.push(`Task created: ${task.taskId}`);
            return;
        }
        polls += 1;
        if (polls === 1 || polls % 10 === 0 || isWorthALine(task))
            lines.push(`Poll ${polls}: ${task.status}${reasonOf(task, ' - ')}`);
    };
    const outcome = await context.clientTask(request, { ttlMs, maxPolls, onStatus });
    if (outcome.kind === 'immediate') {
        const answer = Object.fromEntries(shown.map((member) => [member, outcome.result[member]]));
        return { isCompleted: false, text: `[SYNC] Client executed synchronously:\n${JSON.stringify(answer, null, 2)}` };
    }
    const progress = lines.join('\n');
    if (outcome.kind === 'ended' && outcome.result !== undefined)
        return { isCompleted: true, result: outcome.result, progress };
    const end = outcome.kind === 'unfinished'
        ? `[TIMEOUT] Task timed out after ${maxPolls} poll attempts`
        : `[${outcome.task.status.toUpperCase()}] ${reasonOf(outcome.task) || 'No message'}`;
    return { isCompleted: false, text: `${end}\n\nProgress:\n${progress}` };
}
function reasonOf({ statusMessage = '' }, separator = '') {
    return statusMessage === '' ? '' : `${separator}${statusMessage}`;
}
//# sourceMappingURL=client-task-story.js.map