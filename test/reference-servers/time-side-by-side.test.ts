/** The reference server Time and ours, asked the same at the same time, about every time zone that there is. */
import { call, request } from '../everything/support/probe.js';
import type { AskedClient } from '../everything/support/asked-client.js';
import { waitUntil } from '../support/wait-until.js';
import { OF_PYTHON } from './support/meant-for-all.js';
import { ofPython } from './support/references.js';
import { describeSideBySide, type MeantDifference, type SideProbe } from './support/side-by-side.js';

const MEANT_DIFFERENCES: readonly MeantDifference[] = [...OF_PYTHON];

/** Both are asked within the same minute, and what they say is compared without its seconds. */
const SAFE_SECONDS = 50;
const isSafe = (): boolean => new Date().getSeconds() < SAFE_SECONDS;
const untilSafe = (): Promise<true> =>
  waitUntil(() => isSafe() || undefined, { timeoutMs: 15_000, description: 'the minute is a new one' });

const ZONES = [
  ...Intl.supportedValuesOf('timeZone'),
  'UTC',
  'GMT',
  'EST',
  'US/Eastern',
  'GB',
  'Etc/GMT+5',
  'Etc/GMT-14',
  'Asia/Calcutta',
  'Europe/Kyiv',
  'Zulu',
];
/** Zones of one letter, so that names of tests are short. */
const PARTS = Object.entries(Object.groupBy(ZONES, (zone) => zone.split('/', 1)[0] ?? ''));

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

/** Each zone of a part of the world: what time it is there, and what a time of it is in UTC and the other way round. */
const ofPart = ([part, zones = []]: [string, string[] | undefined]): SideProbe =>
  timed({
    name: `every zone of ${part}`,
    async run(client: AskedClient) {
      const answers = zones.map(async (zone) => {
        const ask = (name: string, args: object) => client.request('tools/call', { name, arguments: { ...args } });
        const asked = [
          ask('get_current_time', { timezone: zone }),
          ask('convert_time', { source_timezone: zone, time: '12:30', target_timezone: 'UTC' }),
          ask('convert_time', { source_timezone: 'America/St_Johns', time: '00:05', target_timezone: zone }),
        ];
        return [zone, (await Promise.all(asked)).map(({ structuredContent }) => structuredContent)];
      });
      return Object.fromEntries(await Promise.all(answers)) as unknown;
    },
  });

const PROBES: readonly SideProbe[] = [
  request('tools/list'),
  ...PARTS.map(ofPart),
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
  // The data of the reference are those of its package, not those of the machine.
  settings: (side) =>
    side === 'theirs'
      ? { args: ['--local-timezone', 'Europe/Warsaw'], env: { PYTHONTZPATH: '' } }
      : { env: { LONGHAUL_LOCAL_TIMEZONE: 'Europe/Warsaw' } },
  probes: PROBES,
  meantDifferences: MEANT_DIFFERENCES,
});
