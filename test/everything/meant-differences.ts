/**
 * Where our server is meant to differ from the reference server, and why; docs/internals/everything.md has the list. A pattern
 * is for the line of a difference, `<probe> › <path>: <the reference server's value> ≠ <ours>`.
 */

export interface MeantDifference {
  readonly where: string;
  readonly differs: string;
  readonly reason: string;
  readonly matches: RegExp;
}

export const MEANT_DIFFERENCES: readonly MeantDifference[] = [
  {
    where: '`initialize`',
    differs: 'name, title, version and instructions',
    reason: 'They belong to this server.',
    matches: /^initialize › result\.(serverInfo|instructions)/,
  },
  {
    where: '`initialize`',
    differs: 'no `notifications/tools/list_changed` follows',
    reason: 'The first `tools/list` has all tools that the client can use.',
    matches: /^initialize › notified\.notifications\/tools\/list_changed/,
  },
  {
    where: 'roots',
    differs: 'the client is asked when a tool wants them, not after `initialize`; there is no log message about it',
    reason: 'They are never older than the call, at whichever gateway.',
    matches: /› (asked\.roots\/list: |notified\.notifications\/message: .*"Roots updated)/,
  },
  {
    where: '`tools/list`',
    differs: 'schemas are of JSON Schema 2020-12, not of draft 7',
    reason: 'It is what this revision of the protocol takes for granted.',
    matches: /^tools\/list › .*\.\$schema: "\S*draft-07\S*" ≠ "\S*2020-12\S*"$/,
  },
  {
    where: '`tools/list`',
    differs: '`execution` is left out of tools that cannot be called as a task',
    reason: 'It means the same.',
    matches: /^tools\/list › .*\.execution: \{"taskSupport":"forbidden"\} ≠ nothing$/,
  },
  {
    where: '`tools/list`',
    differs: 'tools that take time or ask the client can be called as a task',
    reason: 'They are durable: they survive the end of any process.',
    matches: /^tools\/list › .*\.execution\.taskSupport: "forbidden" ≠ "optional"$/,
  },
  {
    where: '`tools/list`',
    differs: 'no tool is required to be called as a task',
    reason: 'Clients that know no tasks can call it too: the call waits.',
    matches: /^tools\/list › .*\.execution\.taskSupport: "required" ≠ "optional"$/,
  },
  {
    where: '`tools/list`',
    differs: '`trigger-long-running-operation` has limits, and `steps` is a whole number',
    reason: 'No call may run for ever.',
    matches: /^tools\/list › result\.tools\.trigger-long-running-operation\.inputSchema\.properties/,
  },
  {
    where: '`tools/list`',
    differs: 'there are further tools: `get-date`, `sampleLLM`, `startElicitation`',
    reason: 'Older servers had the last two under these names.',
    matches: /^tools\/list › result\.tools\.(get-date|sampleLLM|startElicitation): nothing ≠/,
  },
  {
    where: 'wrong arguments of tools and prompts',
    differs: 'the text names the field first, and all wrong fields are on one line',
    reason: 'So do all errors here.',
    matches: /› (result\.content\.0\.text|error\.message): "(Input validation error: )?Invalid arguments for .* ≠ "Invalid arguments for /,
  },
  {
    where: 'wrong params',
    differs: 'the code is -32602, and the text is a sentence that names the field',
    reason: '-32603 is for faults of the server.',
    matches: /› error\.(code: -32603 ≠ -32602$|message: "\[.* ≠ "Invalid params: )/,
  },
  {
    where: '`tools/call` of an unknown tool',
    differs: 'it is answered with error -32602, not with a result',
    reason: 'So says the specification.',
    matches: /^no-such-tool \{\} › (result|error): /,
  },
  {
    where: '`tools/call` as a task where that is forbidden',
    differs: 'it is answered with error -32601',
    reason: 'So says the specification.',
    matches: /^echo as a task › (error|result)/,
  },
  {
    where: '`tools/call` of `simulate-research-query` without a task',
    differs: 'it waits, and is answered with the result of the task',
    reason: 'Clients that know no tasks can call it too.',
    matches: /^simulate-research-query .*, not as a task › /,
  },
  {
    where: '`resources/list`, `resources/read`',
    differs: 'the documents',
    reason: 'They belong to this server.',
    matches: /^resources\/(list|read)\b.*demo:\/\/resource\/static\/document\/(?!no-such)/,
  },
  {
    where: '`resources/list`',
    differs: 'files of the session have their `size`',
    reason: 'A client can see beforehand what it would read.',
    matches: /^resources\/list .*demo:\/\/resource\/session\/\S+\.size: nothing ≠ \d+$/,
  },
  {
    where: '`gzip-file-as-resource`',
    differs: 'the name of a file is escaped in its URI',
    reason: 'Spaces and slashes cannot stand in a URI as they are.',
    matches: /demo:\/\/resource\/session\/(a b\/c|a%20b%2Fc)\.gz/,
  },
  {
    where: '`resources/read` of an unknown resource',
    differs: 'the code is always -32002, with the URI as data and one text for all',
    reason: 'So says the specification.',
    matches: /^resources\/read .* › error\.(code: -3260[23] ≠ -32002$|message: .* ≠ "Resource .* not found"$|data: nothing ≠ \{"uri":)/,
  },
  {
    where: '`resources/read` of a dynamic resource',
    differs: 'its id may be escaped',
    reason: 'It is the same URI.',
    matches: /^resources\/read \{"uri":"demo:\/\/resource\/dynamic\/text\/%31"\} › (error: |result: )/,
  },
  {
    where: '`resources/subscribe`, `resources/unsubscribe`',
    differs: 'there is no log message about it',
    reason: 'The answer says it.',
    matches: /^resources\/(un)?subscribe .* › notified\.notifications\/message: .*Received (Uns|S)ubscribe/,
  },
  {
    where: '`completion/complete` where nothing can be completed',
    differs: '`total` is 0',
    reason: 'It is known.',
    matches: /^completion\/complete .* › result\.completion\.total: nothing ≠ 0$/,
  },
  {
    where: '`completion/complete` for the URI of a dynamic resource',
    differs: 'it has no completions, and is no error',
    reason: 'The resource is there.',
    matches: /^completion\/complete .*dynamic\/text\/1"\}.* › (error|result): /,
  },
  {
    where: 'tools that ask the client',
    differs: 'when the client answers with an error, the text says so',
    reason: 'Otherwise it reads as one of the tool.',
    matches: /› result\.content\.0\.text: "nobody is here" ≠ "The client answered /,
  },
  {
    where: '`trigger-url-elicitation`',
    differs: '`notifications/elicitation/complete` follows',
    reason: 'The client can close what it shows.',
    matches: /^trigger-url-elicitation .* › notified\.notifications\/elicitation\/complete: nothing ≠/,
  },
  {
    where: '`simulate-research-query`',
    differs: 'the report',
    reason: 'It explains the tasks of this server.',
    matches: /^simulate-research-query .* › result\.result\.content\.0\.text: "# Research Report: .* ≠ "# Research Report: /,
  },
  {
    where: '`simulate-research-query`',
    differs: 'the handle comes with a text for the model, and with no status message yet',
    reason: 'The model can continue; the first message comes from the worker.',
    matches: /^simulate-research-query .* › result\.created\.(_meta: nothing|task\.statusMessage: .* ≠ nothing$)/,
  },
  {
    where: '`simulate-research-query`',
    differs: 'its progress is reported',
    reason: 'The protocol allows it for tasks.',
    matches: /^simulate-research-query .* › notified\.notifications\/progress: nothing ≠/,
  },
  {
    where: '`simulate-research-query`',
    differs: 'a status that lasts no time is not sent',
    reason: 'What is recorded at once is sent at once.',
    matches: /^simulate-research-query .*"ambiguous":true.* › notified\.notifications\/tasks\/status\.[23]\.status/,
  },
  {
    where: '`simulate-research-query` with wrong arguments',
    differs: 'the task fails, with a status message that names the argument',
    reason: 'The reference server complains of its own answer.',
    matches: /^simulate-research-query \{\} as a task › /,
  },
  {
    where: 'tasks that have completed',
    differs: 'they have no status message',
    reason: 'The last one was about work that is done.',
    matches: /› (result\.after|notified\.notifications\/tasks\/status\.\d)\.statusMessage: "Generating report\.\.\." ≠ nothing$/,
  },
  {
    where: 'tasks',
    differs: '`ttl` is the one that was asked for',
    reason: 'So says the specification.',
    matches: /^the ttl of a task .* › (result|notified\.notifications\/tasks\/status\.\d)\.ttl: 300000 ≠ 60000$/,
  },
  {
    where: '`tasks/cancel`',
    differs: 'the client is notified of the new status',
    reason: 'As of any other.',
    matches:
      /› (result\.cancellation\.isNotified: false ≠ true$|notified\.notifications\/tasks\/status\.1: nothing ≠ .*"status":"cancelled")/,
  },
  {
    where: 'methods of tasks',
    differs: 'texts of errors, and of a cancelled task',
    reason: 'They belong to this server.',
    matches:
      /"Client cancelled task execution\." ≠ |"Cannot cancel task |"Task not found: no-such-task" ≠ |"Failed to list tasks: Invalid cursor: /,
  },
];
