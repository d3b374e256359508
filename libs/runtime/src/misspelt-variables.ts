/** Finds misspelt and unknown variables: an operator meant to set them, but no process reads them. */

/** Every variable of Longhaul: a process may also be given the variables of other processes, so each one knows all names. */
export const VARIABLE_NAMES: readonly string[] = [
  'LONGHAUL_AGENT_AGENTS',
  'LONGHAUL_AGENT_API_KEY',
  'LONGHAUL_AGENT_BASE_URL',
  'LONGHAUL_AGENT_CONTEXT_TOKENS',
  'LONGHAUL_AGENT_FALLBACKS',
  'LONGHAUL_AGENT_MAX_MS',
  'LONGHAUL_AGENT_MAX_LISTED_TOOLS',
  'LONGHAUL_AGENT_MAX_ROUNDS',
  'LONGHAUL_AGENT_MAX_SPEND',
  'LONGHAUL_AGENT_MAX_TOKENS',
  'LONGHAUL_AGENT_MODEL',
  'LONGHAUL_AGENT_MODELS',
  'LONGHAUL_AGENT_SAMPLING',
  'LONGHAUL_AGENT_SERVERS',
  'LONGHAUL_AGENT_SYSTEM_PROMPT_FILE',
  'LONGHAUL_AGENT_THREADS_MAX_BYTES',
  'LONGHAUL_AGENT_TIMEOUT_MS',
  'LONGHAUL_AGENT_TOOL_MODE',
  'LONGHAUL_AGENT_TRACE_CONTENT',
  'LONGHAUL_ALLOWED_HOSTS',
  'LONGHAUL_ALLOWED_ORIGINS',
  'LONGHAUL_ALLOW_ANONYMOUS',
  'LONGHAUL_AUDIT',
  'LONGHAUL_AUDIT_ENTRIES',
  'LONGHAUL_BODY_LIMIT_BYTES',
  'LONGHAUL_BODY_LIMIT_VALUES',
  'LONGHAUL_BODIES_IN_WORK_BYTES',
  'LONGHAUL_CHILD_START_MS',
  'LONGHAUL_DATA_DIR',
  'LONGHAUL_DRAIN_MS',
  'LONGHAUL_BLOBS',
  'LONGHAUL_BLOBS_ENDPOINT',
  'LONGHAUL_BLOBS_REGION',
  'LONGHAUL_ENCRYPTION',
  'LONGHAUL_LARGE_VALUE_BYTES',
  'LONGHAUL_MAX_LARGE_VALUE_BYTES',
  'LONGHAUL_EXPOSE_ENV',
  'LONGHAUL_FEATURES',
  'LONGHAUL_FETCH_ALLOW_PRIVATE',
  'LONGHAUL_FETCH_IGNORE_ROBOTS',
  'LONGHAUL_FETCH_MAX_BYTES',
  'LONGHAUL_FETCH_MAX_HTML_BYTES',
  'LONGHAUL_FETCH_PROXY_URL',
  'LONGHAUL_FETCH_USER_AGENT',
  'LONGHAUL_GIT_ROOTS',
  'LONGHAUL_GZIP_ALLOWED_DOMAINS',
  'LONGHAUL_GZIP_ALLOW_PRIVATE',
  'LONGHAUL_GZIP_MAX_BYTES',
  'LONGHAUL_GZIP_MAX_MS',
  'LONGHAUL_HEALTH_PORT',
  'LONGHAUL_INSTRUCTIONS',
  'LONGHAUL_ISOLATED_MEMORY_BYTES',
  'LONGHAUL_ISOLATED_PROCESSES',
  'LONGHAUL_ISOLATED_TRIAL_MS',
  'LONGHAUL_ISSUERS',
  'LONGHAUL_KEEP_CONTINUED_MS',
  'LONGHAUL_KEEP_ENDED_MS',
  'LONGHAUL_KEEP_FAILED_MS',
  'LONGHAUL_BARE_PROTOCOL',
  'LONGHAUL_KEEP_QUESTIONS',
  'LONGHAUL_KEYS',
  'LONGHAUL_KEY_PREFIX',
  'LONGHAUL_KNOWN_CLIENTS',
  'LONGHAUL_LOCAL_TIMEZONE',
  'LONGHAUL_LONGEST_WAIT_MS',
  'LONGHAUL_MAX_BLOCK_MS',
  'LONGHAUL_MAX_CHILDREN',
  'LONGHAUL_MAX_CHILDREN_AT_ONCE',
  'LONGHAUL_MAX_CHILD_DEPTH',
  'LONGHAUL_MAX_CONNECTIONS',
  'LONGHAUL_MAX_FAILED_AUTHENTICATIONS',
  'LONGHAUL_MAX_HISTORY_BYTES',
  'LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER',
  'LONGHAUL_MAX_LISTEN_STREAMS',
  'LONGHAUL_MAX_OPEN_SESSIONS',
  'LONGHAUL_MAX_OPEN_STREAMS',
  'LONGHAUL_MAX_REQUESTS_PER_SECOND',
  'LONGHAUL_MAX_REQUEST_BURST',
  'LONGHAUL_MAX_SCHEDULES',
  'LONGHAUL_MAX_SCHEDULES_PER_TENANT',
  'LONGHAUL_MAX_SESSIONS_PER_HOUR',
  'LONGHAUL_MAX_QUEUED',
  'LONGHAUL_MAX_TASKS_PER_MINUTE',
  'LONGHAUL_MAX_TASKS_PER_OWNER',
  'LONGHAUL_MAX_TTL_MS',
  'LONGHAUL_MEMORY_MAX_BYTES',
  'LONGHAUL_METRICS_HOST',
  'LONGHAUL_METRICS_PORT',
  'LONGHAUL_NO_WORKER_MS',
  'LONGHAUL_OLD_SECRETS',
  'LONGHAUL_ON_ABANDONED',
  'LONGHAUL_OPS_ALLOWED_HOSTS',
  'LONGHAUL_OPS_ANSWERS',
  'LONGHAUL_OPS_HOST',
  'LONGHAUL_OPS_PORT',
  'LONGHAUL_OPS_PROXY_HOPS',
  'LONGHAUL_OPS_TOKEN',
  'LONGHAUL_ALERTS',
  'LONGHAUL_TRACE_URL',
  'LONGHAUL_LOGS_URL',
  'LONGHAUL_OPS_TOKENS',
  'LONGHAUL_OPS_URL',
  'LONGHAUL_PAGE_SIZE',
  'LONGHAUL_PRIVATE_NETWORKS',
  'LONGHAUL_PROXY_HOPS',
  'LONGHAUL_PUBLIC_URL',
  'LONGHAUL_REDIS_CLUSTER',
  'LONGHAUL_REDIS_WATERMARK',
  'LONGHAUL_REQUEST_STATE_MS',
  'LONGHAUL_REQUEST_TIMEOUT_MS',
  'LONGHAUL_RESEARCH_STAGE_MS',
  'LONGHAUL_RESULT_CHARACTERS',
  'LONGHAUL_SCHEDULES',
  'LONGHAUL_SCHEDULE_EVENTS',
  'LONGHAUL_SCOPES',
  'LONGHAUL_SECRET',
  'LONGHAUL_SERVERS',
  'LONGHAUL_SERVER_ICON',
  'LONGHAUL_SERVER_NAME',
  'LONGHAUL_SERVER_TITLE',
  'LONGHAUL_SERVER_VERSION',
  'LONGHAUL_SESSION_IDLE_MS',
  'LONGHAUL_SIGN_OF_LIFE_MS',
  'LONGHAUL_SIMULATED_UPDATES_MS',
  'LONGHAUL_SQLITE_MAX_BYTES',
  'LONGHAUL_SQLITE_SYNC',
  'LONGHAUL_STATELESS',
  'LONGHAUL_STEP_TIMEOUT_MS',
  'LONGHAUL_STRICT_TASKS',
  'LONGHAUL_SYNC_WAIT_MS',
  'LONGHAUL_TENANTS',
  'LONGHAUL_TOKENS',
  'LONGHAUL_VERSION',
  'LONGHAUL_WEBHOOKS',
  'LONGHAUL_WORKER_CONCURRENCY',
  'LONGHAUL_WORKFLOW_WARNINGS',
];

/** If more letters differ, the name probably belongs to another program. */
const MAX_DISTANCE = 3;

/** Access rules are an exception: an operator must not believe that access is restricted when it is not. */
const DOOR = /TOKEN|SECRET|ANONYM|ISSUER|SCOPE/i;

const LIKE_OURS = /^LONG_?HA/i;

/** A variable that is not read, and the one that it was probably meant to be. */
export interface Misspelling {
  readonly name: string;
  readonly nearest: string;
}

/** Finds variables with nearly the name of a Longhaul variable. */
export function misspeltVariables(env: NodeJS.ProcessEnv): readonly Misspelling[] {
  return Object.keys(env)
    .filter((name) => LIKE_OURS.test(name) && !VARIABLE_NAMES.includes(name))
    .flatMap((name) => {
      // Variables about clients are not compared with the operators' variables.
      const known = VARIABLE_NAMES.filter((other) => !other.startsWith('LONGHAUL_OPS_') || /OP/i.test(name.slice('LONGHAUL_'.length)));
      const [first] = known
        .map((nearest) => ({ name, nearest, distance: distanceOf(name.toUpperCase(), nearest) }))
        .sort((a, b) => a.distance - b.distance);
      const isOurs = (first?.distance ?? Infinity) <= MAX_DISTANCE || (/^LONGHAUL_/i.test(name) && DOOR.test(name));
      return first !== undefined && isOurs ? [{ name, nearest: first.nearest }] : [];
    });
}

/** Describes a misspelling, without the value. */
function describeMisspelling({ name, nearest }: Misspelling): string {
  return `${name} is not read: did you mean ${nearest}?`;
}

/** Variables that Compose files and tests read themselves, and those that Kubernetes sets for a Service whose name begins so. */
const OF_OTHERS =
  /^LONGHAUL_(PORT|TAG|STOP_GRACE|REGISTRY|REDIS_(FSYNC|MAXMEMORY)|(OPS_)?SECRETS_FILE|LOGIN_\w+|TEST_\w+|AGENT_(RUNTIME|PARSER|GGUF|\w+_IMAGE)|(\w+_)?(SERVICE_HOST|SERVICE_PORT\w*|PORT(_\d+_\w+)?))$/;

/** Finds variables that begin like those of Longhaul and resemble none of them. */
export function unknownVariables(env: NodeJS.ProcessEnv): readonly string[] {
  const misspelt = new Set(misspeltVariables(env).map(({ name }) => name));
  return Object.keys(env).filter(
    (name) => name.startsWith('LONGHAUL_') && !VARIABLE_NAMES.includes(name) && !misspelt.has(name) && !OF_OTHERS.test(name),
  );
}

/**
 * A line for each variable that no process reads, without its value.
 *
 * @param isLaunched whether another process has named the unknown ones, which a module of features may read
 */
export function variableWarnings(env: NodeJS.ProcessEnv, isLaunched = false): readonly string[] {
  const unknown = isLaunched ? [] : unknownVariables(env);
  return [...misspeltVariables(env).map(describeMisspelling), ...unknown.map((name) => `${name} is no setting of Longhaul.`)];
}

/** Letters to insert, to leave out or to replace (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split('').entries())
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}
