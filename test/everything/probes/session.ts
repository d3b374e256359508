import { call, type Probe, request } from '../support/probe.js';

const FILE = 'demo://resource/session/hello.txt.gz';
const toggle = (name: string) => ({ name, arguments: {} });

/** What goes on in a session, after the probes before. */
export const session: readonly Probe[] = [
  request('resources/list', {}, {}, ' with files of the session'),
  request('resources/read', { uri: FILE }),
  {
    name: 'updates of subscribed resources',
    async run(client) {
      const started = await client.request('tools/call', toggle('toggle-subscriber-updates'));
      await client.untilNotified('notifications/resources/updated', 2);
      return { started, stopped: await client.request('tools/call', toggle('toggle-subscriber-updates')) };
    },
  },
  request('resources/unsubscribe', { uri: 'demo://resource/dynamic/text/1' }),
  {
    name: 'simulated logging',
    async run(client) {
      const started = await client.request('tools/call', toggle('toggle-simulated-logging'));
      await client.untilNotified('notifications/message');
      return { started, stopped: await client.request('tools/call', toggle('toggle-simulated-logging')) };
    },
  },
  call('toggle-simulated-logging', { unknown: 1 }),
  call('toggle-simulated-logging', { unknown: 1 }, {}, 'again'),
];
