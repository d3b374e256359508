/** Whether a worker may run the tasks of a group, as far as is known. */
export function mayRun(worker, { tool, asked }) {
    return !asked.includes(worker.version) && worker.knows(tool);
}
/** The group of that name. A name is the JSON of the tool and the versions; no line break is in it. */
export function groupNamed(name) {
    const [tool = '', ...asked] = JSON.parse(name);
    return { name, tool, asked };
}
/** The name of the group that the task is in. */
export function groupNameOf({ tool, asked }) {
    return JSON.stringify([tool, ...asked.toSorted()]);
}
/** What is known of a task that is parked a second time in the same attempt. */
export function mergedTask(known, given) {
    const lane = given.lane ?? known.lane;
    const misfit = given.misfit ?? known.misfit;
    const { pass, lostEpoch } = known.pass > given.pass ? known : given;
    return {
        taskId: given.taskId,
        pass,
        ...(lane !== undefined && { lane }),
        tool: given.tool,
        asked: [...new Set([...known.asked, ...given.asked])].toSorted(),
        attemptSince: given.attemptSince,
        times: Math.max(known.times, given.times),
        ...(misfit !== undefined && { misfit }),
        ...(lostEpoch !== undefined && { lostEpoch }),
        ...((given.lost === true || known.lost === true) && { lost: true }),
    };
}
//# sourceMappingURL=parked-tasks.js.map