import { logTasks, withoutMessage } from '@longhaul/tasks';
/** What is logged of the passes and tasks of a process: a warning with the stack when a tool has failed. */
export function runnerLog(logger, { onMisfit = () => undefined, hidesMessages }) {
    return {
        onGivenBack: ({ taskId, pass, tool, asked, misfit }) => {
            logger.info({ taskId, pass, tool, asked, misfit }, 'given back');
            if (misfit !== undefined)
                onMisfit({ taskId, tool, misfit });
        },
        onStuck: (stuck) => logger.warn(stuck, 'a pass has recorded nothing for a minute; its worker has a place less while the named steps run'),
        onPass: ({ job: { taskId, pass }, end, tookMs, thrown }) => {
            if (end === 'retrying')
                logger.warn({ taskId, pass, end, tookMs, err: hidesMessages ? withoutMessage(thrown) : thrown }, 'a tool failed and will be tried again');
            else
                logger.info({ taskId, pass, end, tookMs }, 'pass');
        },
        onTask: logTasks(logger, hidesMessages),
    };
}
//# sourceMappingURL=runner-log.js.map