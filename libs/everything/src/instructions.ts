/** The text about the built-in features that a client's model reads when a session begins. */
export const instructions = `Longhaul runs tools as durable tasks: a task continues when a process of the server, or the connection, breaks.

- Tools that list task support can be called as tasks. Ask for the status no more often than the task's pollInterval says, then ask for the result. A call without a task waits for the end.
- When a task is input_required, ask for its result: the question to the user comes on that stream.
- Tools that need something of the client (elicitation, sampling, roots) are listed only to clients that have it.
- Resources made by gzip-file-as-resource, and what the toggle- tools start, belong to the session and end with it.
- toggle-subscriber-updates notifies of changes of the subscribed resources only; toggle-simulated-logging keeps to the level of logging/setLevel. Both reach a client that has a stream open (GET).
- The documents of the server are resources: demo://resource/static/document/features.md has an overview of the features.`;
