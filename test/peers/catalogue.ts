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

export const PEERS: readonly Peer[] = [
  {
    name: 'time',
    version: '2026.10.19',
    features: 'test/peers/time-features.ts',
    suites: ['test_protocol.py', 'test_eras.py'],
    smoke: 'wire_result or nonexistent_local_time',
    meantDifferences: [
      { test: /test_initialize_reports_server_info_and_capabilities|test_server_discover_answers/, reason: ONE_SERVER },
      { test: /test_list_tools_|test_empty_local_timezone_override/, reason: SCHEMAS },
      { test: /_argument_validation\[/, reason: OF_PYTHON },
      {
        test: /test_invalid_local_timezone_fails_before_the_transport_opens/,
        reason: 'it calls a function of the server; a wrong LONGHAUL_LOCAL_TIMEZONE ends the start with a line that names it',
      },
      {
        test: /test_prompts_and_resources_are_empty_in_each_era/,
        reason: 'a list of what a server does not declare is a method that it does not have',
      },
    ],
  },
];
