/** Compares the reference server Time with ours, with the same calls at the same time, for time zones of all kinds. */
import { call, request } from '../../everything/support/probe.js';
import type { AskedClient } from '../../everything/support/asked-client.js';
import { waitUntil } from '../../support/wait-until.js';
import { OF_PYTHON } from '../support/meant-for-all.js';
import { ofPython } from '../support/references.js';
import { describeSideBySide, type MeantDifference, type SideProbe } from '../support/side-by-side.js';

const MEANT_DIFFERENCES: readonly MeantDifference[] = [
  ...OF_PYTHON,
  {
    differs: 'schemas of results name nothing elsewhere, and allow nothing else',
    reason: 'They are made by another library, and mean the same.',
    matches: /^tools\/list › result\.tools\.\w+\.outputSchema\.(\$defs|additionalProperties|properties\.(source|target)\.)/,
  },
  {
    differs: '`is_dst` of Europe/Dublin is true in summer, not in winter',
    reason: 'The database of JavaScript does not say which of the two times is the standard one.',
    matches: /^(?=.*Europe\/Dublin).*(is_dst: (true ≠ false|false ≠ true)$|result\.content\.0\.text: .*is_dst)/,
  },
  {
    differs: 'a name that is no time zone for another reason than most is refused in the words for most',
    reason: 'Where the files of time zones are, and how the system reads them, is not for callers.',
    matches:
      /^get_current_time .* › result\.content\.0\.text: .*(Is a directory|normalized relative paths|null byte|name too long).* ≠ .*(No time zone found|subdirectories)/,
  },
  {
    differs: '`Factory` is no time zone',
    reason: 'JavaScript does not know it; it stands for a clock that was never set.',
    matches: /^get_current_time \{"timezone":"Factory"\} › /,
  },
];

/** Both are asked within the same minute, and what they say is compared without its seconds. */
const SAFE_SECONDS = 50;
const isSafe = (): boolean => new Date().getSeconds() < SAFE_SECONDS;
const untilSafe = (): Promise<true> => waitUntil(() => isSafe() || undefined, { description: 'the minute is a new one' });

/** Their rules have been the same for years, so that it does not matter how old the databases of the two are. */
const ZONES = `
  UTC GMT EST CET EST5EDT Zulu US/Eastern GB Etc/GMT+5 Etc/GMT-14 Asia/Calcutta Africa/Cairo Africa/Johannesburg
  Africa/Lagos America/Argentina/Buenos_Aires America/Bogota America/Chicago America/Indiana/Knox America/New_York
  America/Phoenix America/Santiago America/Sao_Paulo America/St_Johns Antarctica/Troll Asia/Dubai Asia/Jerusalem
  Asia/Kathmandu Asia/Kolkata Asia/Shanghai Asia/Tokyo Atlantic/Azores Australia/Adelaide Australia/Brisbane
  Australia/Eucla Australia/Lord_Howe Australia/Sydney Europe/Berlin Europe/Istanbul Europe/Kyiv Europe/Lisbon
  Europe/London Europe/Moscow Europe/Warsaw Pacific/Apia Pacific/Auckland Pacific/Chatham Pacific/Honolulu
  Pacific/Kiritimati Pacific/Pago_Pago
`
  .trim()
  .split(/\s+/);

const now = (args: Record<string, unknown>, note = ''): SideProbe => timed(call('get_current_time', args, {}, note));
const convert = (source_timezone: unknown, time: unknown, target_timezone: unknown, note = ''): SideProbe =>
  timed(call('convert_time', { source_timezone, time, target_timezone }, {}, note));

function timed(probe: SideProbe): SideProbe {
  return {
    name: probe.name,
    async run(client: AskedClient) {
      await untilSafe();
      return withoutSeconds(await (probe as { run(client: AskedClient): Promise<unknown> }).run(client));
    },
  };
}

function withoutSeconds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/(T\d\d:\d\d):\d\d/g, '$1:<s>')) as unknown;
}

/** The time in a zone, and the conversion of a time between the zone and UTC. */
const ofZone = (zone: string): SideProbe[] => [
  now({ timezone: zone }),
  convert(zone, '12:30', 'UTC'),
  convert('America/St_Johns', '00:05', zone),
];

const PROBES: readonly SideProbe[] = [
  request('tools/list'),
  ...ZONES.flatMap(ofZone),
  ...ofZone('Europe/Dublin'),
  ...[
    'UTC',
    'Europe/Berlin',
    'Asia/Kathmandu',
    '',
    ' ',
    'utc',
    'europe/warsaw',
    'Invalid/Timezone',
    '+05:00',
    'Europe',
    'Europe/',
    '/etc/localtime',
    '../etc/passwd',
    'Europe/../UTC',
    'a\u0000b',
    'Ünïcode',
    'x'.repeat(300),
    'localtime',
    'posixrules',
    'Factory',
    'SystemV/EST5',
    'CET',
    'EST5EDT',
    'Etc/Unknown',
  ].map((timezone) => now({ timezone })),
  now({ timezone: 1 }, 'wrong'),
  now({ timezone: null }, 'wrong'),
  now({}, 'wrong'),
  timed(call('get_current_time', undefined, {}, 'wrong')),
  now({ timezone: 'UTC', more: 1 }),
  ...[
    '09:05',
    '9:5',
    '00:00',
    '23:59',
    '24:00',
    '12:60',
    '-1:00',
    '',
    'noon',
    '12',
    '12:00:00',
    '12:00 PM',
    ' 12:00',
    '12:00 ',
    '１２:００',
    '12:0',
    '012:00',
    '12 :00',
  ].map((time) => convert('UTC', time, 'Asia/Kathmandu')),
  convert('Asia/Tokyo', '01:00', 'America/Los_Angeles'),
  convert('Pacific/Kiritimati', '00:30', 'Pacific/Pago_Pago'),
  convert('Pacific/Pago_Pago', '23:30', 'Pacific/Kiritimati'),
  convert('Asia/Kolkata', '12:00', 'UTC'),
  convert('UTC', '12:00', 'Australia/Eucla'),
  convert('UTC', '12:00', 'UTC'),
  convert('', '12:00', 'UTC'),
  convert('UTC', '12:00', ''),
  convert('', 'nope', ''),
  convert('Bad/Zone', 'nope', 'Worse/Zone'),
  convert('UTC', 'nope', 'Worse/Zone'),
  convert('UTC', 1200, 'UTC', 'wrong'),
  convert('UTC', undefined, 'UTC', 'wrong'),
  convert(undefined, undefined, undefined, 'wrong'),
  call('no_such_tool', {}),
];

describeSideBySide({
  reference: ofPython('Time', 'mcp_server_time'),
  features: '@longhaul/reference-servers/time',
  // The reference uses the data of its package, not the machine's.
  settings: (side) =>
    side === 'theirs'
      ? { args: ['--local-timezone', 'Europe/Warsaw'], env: { PYTHONTZPATH: '' } }
      : { env: { LONGHAUL_LOCAL_TIMEZONE: 'Europe/Warsaw' } },
  probes: PROBES,
  meantDifferences: MEANT_DIFFERENCES,
});
