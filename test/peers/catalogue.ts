/** The suites that the reference servers written in Python carry, and what of them is meant to fail. */

/** A server whose suite is run. */
export interface Peer {
  /** As in `mcp_server_time`. */
  readonly name: string;
  /** Of the sdist on the package index. */
  readonly version: string;
  /** From the root of the repository, or the name of a package. */
  readonly features: string;
  /** Files of its tests that ask by the protocol. */
  readonly suites: readonly string[];
  /** What pytest's `-k` takes, for a run of a few seconds. */
  readonly smoke: string;
  readonly meantDifferences: readonly MeantDifference[];
  /** More of them if the package is behind a proxy. */
  readonly proxiedDifferences?: readonly MeantDifference[];
}

/** Tests that are to fail, and why that is as it should be. */
export interface MeantDifference {
  /** Of the name of a test with its parameters. */
  readonly test: RegExp;
  readonly reason: string;
}

const OF_PYTHON =
  'the text of a refused argument is that of the library which checks it; ours names the tool, the argument and what is wrong';
const ONE_SERVER = 'name, version, capabilities and instructions are of the whole server, not of one package of features';
const SCHEMAS = 'listed schemas also say their dialect, and those of results that there is nothing else in them';
const IN_THE_REFERENCE = 'the test replaces a function within the reference, which this is not';
const NOT_DECLARED = 'a list of what a server does not declare is a method that it does not have';
const TASKS =
  'a client of revision 2025-11-25 sees that a tool can run as a task, and one of 2026-07-28 gets tools that follow a call which takes long';
const OWN_REASON = 'what is wrong with a page or a connection is said in other words, those of another library or ours';

const FETCH_DIFFERENCES: readonly MeantDifference[] = [
  {
    test: /test_initialize_advertises_tools_and_prompts|test_server_version_is_the_package_version|test_server_discover_answers/,
    reason: ONE_SERVER,
  },
  { test: /test_resources_list_is_empty/, reason: NOT_DECLARED },
  { test: /test_get_prompt_with_unknown_name/, reason: 'an unknown prompt is named as by the SDK for TypeScript: "Prompt nope not found"' },
  { test: /test_list_tools_wire_shape/, reason: SCHEMAS },
  { test: /test_tools_and_prompts_lists_are_the_same_in_both_eras/, reason: TASKS },
  {
    test: /test_schema_violations_|test_invalid_url_is_rejected_by_pydantic|_without_url_is_a_jsonrpc_error|_failure_is_a(n_is_error_result|_json_rpc_error)_in_each_era/,
    reason: OF_PYTHON,
  },
  { test: /test_connection_error|test_get_prompt_does_not_validate_the_url/, reason: OWN_REASON },
  {
    test: /test_robots_5xx_body_is_parsed_as_rules/,
    reason: 'a robots.txt with a status of 500 and more says that the page must not be fetched now (RFC 9309); an error page has no rules',
  },
  {
    test: /test_html_without_node_falls_back_to_pure_python/,
    reason: 'there is only one way to simplify a page, and it keeps the links',
  },
  {
    test: /test_redirect_to_private_address|test_hostname_resolving_to_a_private_address|test_private_address_is_refused_on_the_prompt_path|test_robots_redirect_to_private_address|test_guard_resolves_the_name/,
    reason: 'a refusal names LONGHAUL_FETCH_ALLOW_PRIVATE, not an option of the program, and not the private address of a name',
  },
  {
    test: /test_global_exceptions_in_special_ranges_are_allowed/,
    reason: 'such addresses are for protocols, not for pages, and that of the nearest gateway leads into the own network',
  },
  {
    test: /test_timeouts_are_hard_coded/,
    reason: 'it reads what the HTTP library of the reference gets; the limits of time are others, and the docs name them',
  },
  {
    test: /test_proxy_url_is_passed|test_no_proxy_by_default|test_socks_alias_proxy_url/,
    reason:
      'it reads what the HTTP library of the reference gets; here all suites ask through a proxy, and settings.unit.test.ts has the alias',
  },
  {
    test: /test_bad_proxy_config_is_a_tool_error/,
    reason: 'a proxy that cannot be used is found at the start, which ends with a line that names LONGHAUL_FETCH_PROXY_URL',
  },
];

const GIT_DIFFERENCES: readonly MeantDifference[] = [
  { test: /test_initialize_reports_package_version|test_server_discover_answers/, reason: ONE_SERVER },
  { test: /test_list_tools_matches_wire_snapshot/, reason: `${SCHEMAS}; each tool says that it can run as a task` },
  { test: /test_tools_list_is_the_same_in_both_eras|test_list_tools_names_in_order/, reason: TASKS },
  {
    test: /test_missing_required_argument|test_git_add_empty_list_is_rejected|test_tool_failure_is_an_is_error_result_in_each_era/,
    reason: OF_PYTHON,
  },
  {
    test: /test_repo_path_subdirectory_is_not_a_repository|test_restricted_server_subdirectory_passes_check_but_is_not_a_repo/,
    reason: 'the error also says which repository the folder is in',
  },
  {
    test: /test_git_add_unresolvable_path|test_restricted_server_unresolvable_repo_path/,
    reason: `${IN_THE_REFERENCE}; hostile-arguments.unit.test.ts has paths that cannot be resolved, with these texts`,
  },
  {
    test: /test_an_unanticipated_exception/,
    reason: `${IN_THE_REFERENCE}; what a tool throws reaches the client in its own words here, expected or not`,
  },
  {
    test: /test_overlapping_tool_calls_run_one_at_a_time/,
    reason: `${IN_THE_REFERENCE}; what changes a repository waits for its turn, also across workers (one-at-a-time.unit.test.ts)`,
  },
];

const PROXIED_DIFFERENCES: readonly MeantDifference[] = [
  {
    test: /test_unsupported_method_is_a_json_rpc_error_in_each_era/,
    reason: 'a proxy has prompts and resources, whatever its servers have',
  },
];

export const PEERS: readonly Peer[] = [
  {
    name: 'fetch',
    version: '2026.10.24',
    features: 'test/peers/fetch-features.ts',
    suites: ['test_protocol.py', 'test_eras.py'],
    smoke: 'robots_allow or get_prompt_extracts',
    meantDifferences: FETCH_DIFFERENCES,
  },
  {
    name: 'git',
    version: '2026.10.19',
    features: '@longhaul/reference-servers/git',
    suites: ['test_protocol.py', 'test_eras.py'],
    smoke: 'git_add_dot_never or git_show_revision_path_shows',
    meantDifferences: GIT_DIFFERENCES,
    proxiedDifferences: PROXIED_DIFFERENCES,
  },
  {
    name: 'time',
    version: '2026.10.19',
    features: 'test/peers/time-features.ts',
    suites: ['test_protocol.py', 'test_eras.py'],
    smoke: 'wire_result',
    meantDifferences: [
      { test: /test_initialize_reports_server_info_and_capabilities|test_server_discover_answers/, reason: ONE_SERVER },
      { test: /test_list_tools_|test_empty_local_timezone_override/, reason: SCHEMAS },
      { test: /_argument_validation\[/, reason: OF_PYTHON },
      {
        test: /test_invalid_local_timezone_fails_before_the_transport_opens/,
        reason: 'it calls a function of the server; a wrong LONGHAUL_LOCAL_TIMEZONE ends the start with a line that names it',
      },
      { test: /test_prompts_and_resources_are_empty_in_each_era/, reason: NOT_DECLARED },
    ],
  },
];
