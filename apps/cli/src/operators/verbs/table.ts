/** Lists all commands for operators. Each loads what it needs when it runs, so that help and completion are quick. */
import type { Command, Flag } from '../../command-line/command.js';
import {
  ALL_FLAG,
  DRY_RUN_FLAG,
  FEATURES_FLAG,
  FILTER_FLAGS,
  FORCE_FLAG,
  FROM_FLAG,
  KEY_FLAG,
  LIMIT_FLAG,
  OUTPUT_FLAGS,
  PATCH_FLAG,
  REASON_FLAG,
  YES_FLAG,
} from '../command-line/flags.js';
import type { Verb } from '../command-line/verb.js';
import { FAILURE_VERBS } from './failure-verbs.js';
import { SCHEDULE_VERBS } from './schedule-verbs.js';
import { SERVER_VERBS } from './server-verbs.js';

const TEXT_FLAG: Flag = { name: 'text', value: 'TEXT', summary: 'with this text in the arguments or in the outcome' };
const TIMEOUT_FLAG: Flag = { name: 'timeout', value: 'DURATION', summary: 'give up after this time, such as 90s' };
const PAUSED_FLAG: Flag = { name: 'tool', value: 'TOOL', summary: 'only this tool' };
const BY_FLAG: Flag = { name: 'by', value: 'WHOM', summary: 'records of operators, or of callers', choices: ['operators', 'callers'] };

/** The flags that select a principal. */
const PRINCIPAL_FLAGS: readonly Flag[] = [
  { name: 'name', value: 'NAME', summary: 'the holder of a static token' },
  { name: 'issuer', value: 'ISSUER', summary: 'the issuer of the tokens' },
  { name: 'subject', value: 'SUBJECT', summary: 'the user; all of the tenant or the issuer without it' },
  { name: 'tenant', value: 'TENANT', summary: 'the tenant' },
];

/** Of questions: their tasks all wait, and have not failed. */
const QUESTION_FILTER_FLAGS = FILTER_FLAGS.filter(({ name }) => name !== 'status' && name !== 'failure' && name !== 'group');

const VERBS: readonly Verb[] = [
  {
    usage: 'tasks list',
    summary: 'lists tasks of all owners, newest first',
    flags: [...FILTER_FLAGS, TEXT_FLAG, LIMIT_FLAG],
    run: async (context) => (await import('./list-tasks.js')).listTasks(context),
  },
  {
    usage: 'tasks show TASK',
    summary: 'shows a task, why it waits, and its timeline',
    flags: [
      { name: 'history', summary: 'its events' },
      { name: 'timeline', summary: 'all of its timeline, and nothing else' },
    ],
    run: async (context) => (await import('./show-task.js')).showTask(context),
  },
  {
    usage: 'tasks follow TASK',
    summary: 'prints the events of a task as they come, until it ends',
    run: async (context) => (await import('./follow-task.js')).followTask(context),
  },
  {
    usage: 'tasks watch',
    summary: 'shows the newest tasks as they change',
    flags: FILTER_FLAGS,
    run: async (context) => (await import('./watch-tasks.js')).watchTasks(context),
  },
  {
    usage: 'tasks cancel [TASK…]',
    summary: 'cancels tasks: the named ones, or all that fit a filter',
    flags: [...FILTER_FLAGS, ALL_FLAG, KEY_FLAG, REASON_FLAG, YES_FLAG, DRY_RUN_FLAG],
    run: async (context) => (await import('./change-tasks.js')).cancelTasks(context),
  },
  {
    usage: 'tasks retry [TASK…]',
    summary: 'retries tasks as new tasks: the named ones, or all that fit a filter',
    flags: [
      ...FILTER_FLAGS,
      ALL_FLAG,
      FROM_FLAG,
      { name: 'arguments', value: 'JSON', summary: 'other arguments' },
      PATCH_FLAG,
      FORCE_FLAG,
      KEY_FLAG,
      REASON_FLAG,
      YES_FLAG,
      DRY_RUN_FLAG,
    ],
    run: async (context) => (await import('./change-tasks.js')).retryTasks(context),
  },
  {
    usage: 'tasks result TASK [FILE]',
    summary: 'writes the whole result of a task as JSON to a file, or to standard output',
    run: async (context) => (await import('./histories.js')).writeResult(context),
  },
  {
    usage: 'tasks export TASK [FILE]',
    summary: 'writes the history of a task to a file, or to standard output',
    run: async (context) => (await import('./histories.js')).exportTask(context),
  },
  {
    usage: 'tasks import FILE',
    summary: 'imports the history of an ended task, to look at it and to retry it; nothing of it runs',
    flags: [REASON_FLAG],
    run: async (context) => (await import('./histories.js')).importTask(context),
  },
  {
    usage: 'replay FILE',
    summary: 'checks an exported history against the code of this machine, without running a step: exit code 1 if it does not fit',
    flags: [FEATURES_FLAG],
    runLocally: async (context) => (await import('./replay-file.js')).replayFile(context),
  },
  {
    usage: 'call TOOL [NAME=VALUE…]',
    summary: 'starts a task of a tool, with arguments that fit its schema',
    flags: [
      { name: 'arguments', value: 'JSON', summary: 'all arguments' },
      { name: 'owner', value: 'OWNER', summary: 'the owner of the task' },
      { name: 'priority', value: 'NUMBER', summary: 'before or after other tasks of its owner, from -10 to 10' },
      { name: 'wait', summary: 'wait for its end and print the result: exit code 10 if it failed, 11 if it was cancelled' },
      TIMEOUT_FLAG,
      FEATURES_FLAG,
      REASON_FLAG,
    ],
    run: async (context) => (await import('./call-tool.js')).callTool(context),
  },
  {
    usage: 'questions',
    summary: 'lists the open questions of tasks',
    flags: [...QUESTION_FILTER_FLAGS, LIMIT_FLAG],
    run: async (context) => (await import('./questions.js')).listQuestions(context),
  },
  {
    usage: 'webhooks',
    summary: 'lists webhooks that fail, were given up, or wait',
    flags: [{ name: 'status', value: 'STATUS', summary: 'which of them', choices: ['failing', 'given-up', 'pending'] }, LIMIT_FLAG],
    run: async (context) => (await import('./webhooks.js')).listWebhooks(context),
  },
  ...SCHEDULE_VERBS,
  ...SERVER_VERBS,
  {
    usage: 'answer [TASK [KEY]] [FIELD=VALUE…]',
    summary: 'answers a question for the client, or all questions of tasks that fit',
    flags: [
      ...QUESTION_FILTER_FLAGS,
      ALL_FLAG,
      { name: 'content', value: 'JSON', summary: 'all fields of the answer' },
      { name: 'decline', summary: 'say no' },
      { name: 'cancel', summary: 'say that you will not answer' },
      REASON_FLAG,
      KEY_FLAG,
      YES_FLAG,
      DRY_RUN_FLAG,
    ],
    run: async (context) => (await import('./questions.js')).answerQuestion(context),
  },
  {
    usage: 'signal TASK NAME [JSON]',
    summary: 'sends a signal to a task, with its value',
    flags: [{ name: 'id', value: 'ID', summary: 'of several signals with one id, the task takes one' }, REASON_FLAG],
    run: async (context) => (await import('./signals.js')).sendSignal(context),
  },
  ...FAILURE_VERBS,
  {
    usage: 'warnings',
    summary: 'lists problems of the deployment',
    run: async (context) => (await import('./overview.js')).listWarnings(context),
  },
  {
    usage: 'workers',
    summary: 'lists the workers that are alive',
    run: async (context) => (await import('./overview.js')).listWorkers(context),
  },
  {
    usage: 'stats',
    summary: 'counts tasks that were created and ended by tool, with how long they took, in the last hour, day or week',
    flags: [
      { name: 'over', value: 'SPAN', summary: 'the last hour, day or week (hour)', choices: ['hour', 'day', 'week'] },
      { name: 'tool', value: 'TOOL', summary: 'of this tool' },
    ],
    run: async (context) => (await import('./overview.js')).showStats(context),
  },
  {
    usage: 'queue',
    summary: 'shows how much work waits, and since when',
    run: async (context) => (await import('./overview.js')).showQueue(context),
  },
  {
    usage: 'queue pause',
    summary: 'starts no new pass of a tool, or of any tool; running passes continue',
    flags: [PAUSED_FLAG, REASON_FLAG],
    run: async (context) => (await import('./overview.js')).changeQueue(context, 'pause'),
  },
  {
    usage: 'queue resume',
    summary: 'starts the passes that a pause has held back',
    flags: [PAUSED_FLAG, REASON_FLAG],
    run: async (context) => (await import('./overview.js')).changeQueue(context, 'resume'),
  },
  {
    usage: 'tenants',
    summary: 'lists the limits of tenants, and their shares of the workers',
    run: async (context) => (await import('./tenants.js')).listTenants(context),
  },
  {
    usage: 'tenants set TENANT NAME=VALUE…',
    summary: 'changes limits of a tenant at once; null removes a limit',
    flags: [REASON_FLAG],
    run: async (context) => (await import('./tenants.js')).setTenant(context),
  },
  {
    usage: 'tenants reset TENANT',
    summary: 'applies the configured limits of a tenant again',
    flags: [REASON_FLAG],
    run: async (context) => (await import('./tenants.js')).resetTenant(context),
  },
  {
    usage: 'owner OWNER',
    summary: 'shows the limits of an owner of tasks, and its use of them',
    run: async (context) => (await import('./tenants.js')).showOwner(context),
  },
  {
    usage: 'audit',
    summary: 'lists changes and refusals, newest first',
    flags: [BY_FLAG, LIMIT_FLAG],
    run: async (context) => (await import('./audit.js')).listAudit(context),
  },
  {
    usage: 'audit verify',
    summary: 'checks whether records of the audit log were deleted, changed, moved or cut off: exit code 1 if they were',
    flags: [{ name: 'anchors', value: 'FILE', summary: 'its earlier output with --json, stored where no one can change it' }],
    run: async (context) => (await import('./audit.js')).verifyAudit(context),
  },
  {
    usage: 'audit export [FILE]',
    summary: 'writes the records of the audit log, one a line, to a file or to standard output',
    flags: [
      { name: 'format', value: 'FORMAT', summary: 'jsonl, or ocsf: API Activity of OCSF 1.3.0', choices: ['jsonl', 'ocsf'] },
      BY_FLAG,
      { name: 'since', value: 'TIME', summary: 'recorded then or later: 2h, 3d or 2026-01-31T12:00:00Z' },
      { name: 'before', value: 'TIME', summary: 'recorded earlier' },
    ],
    run: async (context) => (await import('./audit.js')).exportAudit(context),
  },
  {
    usage: 'principals list',
    summary: 'lists revoked callers',
    run: async (context) => (await import('./principals.js')).listRevoked(context),
  },
  {
    usage: 'principals show',
    summary: 'shows tasks and open sessions of callers, and whether they are revoked',
    flags: PRINCIPAL_FLAGS,
    run: async (context) => (await import('./principals.js')).showPrincipal(context),
  },
  {
    usage: 'principals revoke',
    summary: 'refuses callers, ends their streams and sessions, cancels their tasks and withholds results',
    flags: [
      ...PRINCIPAL_FLAGS,
      { name: 'issued-before', value: 'TIME', summary: 'only tokens that were issued before: 2h or 2026-01-31T12:00:00Z' },
      REASON_FLAG,
    ],
    run: async (context) => (await import('./principals.js')).revokePrincipal(context),
  },
  {
    usage: 'principals restore',
    summary: 'lets revoked callers in again',
    flags: [...PRINCIPAL_FLAGS, REASON_FLAG],
    run: async (context) => (await import('./principals.js')).restorePrincipal(context),
  },
  {
    usage: 'wait TASK',
    summary: 'waits until a task has ended: exit code 0, 10 if it failed, 11 if it was cancelled',
    flags: [TIMEOUT_FLAG],
    run: async (context) => (await import('./follow-task.js')).waitForTask(context),
  },
  {
    usage: 'bulk list',
    summary: 'lists operations on many tasks',
    run: async (context) => (await import('./bulk.js')).listBulk(context),
  },
  {
    usage: 'bulk made OPERATION',
    summary: 'lists the tasks that a retry has made, each with the one that it retries and what became of it',
    run: async (context) => (await import('./bulk.js')).listMade(context),
  },
  {
    usage: 'bulk abort OPERATION',
    summary: 'ends an operation before it is done',
    flags: [REASON_FLAG],
    run: async (context) => (await import('./bulk.js')).abortBulk(context),
  },
  {
    usage: 'bulk resume OPERATION',
    summary: 'continues an operation after its process has died',
    flags: [REASON_FLAG],
    run: async (context) => (await import('./bulk.js')).resumeBulk(context),
  },
];

export const operatorCommands: readonly Command[] = VERBS.map((verb) => ({
  usage: verb.usage,
  summary: verb.summary,
  flags: [...(verb.flags ?? []), ...OUTPUT_FLAGS],
  isForOperators: true,
  run: async (given, terminal) => (await import('../run-verb.js')).runVerb(verb, given, terminal),
}));
