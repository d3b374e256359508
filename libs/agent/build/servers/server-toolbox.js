import { ConnectionLostError } from '@longhaul/client';
/** The tools of one server, under the names that it gives them: to be put together with those of others before a model sees them. */
export function serverToolbox(server) {
    let last;
    return {
        get tools() {
            const { tools: listed } = server;
            if (last?.listed !== listed)
                last = { listed, tools: listed.map((tool) => ({ name: tool.name, server: server.name, listed: tool })) };
            return last.tools;
        },
        call: async ({ id, tool, arguments: args }, { signal, onProgress }) => {
            try {
                return await server.callTool(tool.listed.name, args, {
                    callId: id,
                    signal,
                    ...(onProgress !== undefined && {
                        onProgress: (progress) => onProgress(progressText(progress)),
                        onStatus: (status) => onProgress(statusText(status)),
                    }),
                });
            }
            catch (error) {
                if (signal.aborted)
                    throw error;
                throw new Error(failureText(error, server), { cause: error });
            }
        },
    };
}
/** What the model receives for a call that has failed. */
export function failureText(error, server) {
    const text = error instanceof Error ? error.message : String(error);
    if (!(error instanceof ConnectionLostError))
        return text;
    const what = server.endedByItself === undefined ? `cannot be reached (${text})` : `is gone: its process ${server.endedByItself}`;
    const effect = error.effect === 'none' ? 'The call was not made.' : 'Nobody knows whether the call was carried out.';
    return `The server "${server.name}" ${what}. ${effect}`;
}
function progressText({ progress, total, message }) {
    const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
    return message === undefined ? count : `${count}: ${message}`;
}
function statusText({ status, statusMessage }) {
    return statusMessage ?? status;
}
//# sourceMappingURL=server-toolbox.js.map