import { type Probe, request } from '../support/probe.js';

const TEXT = 'demo://resource/dynamic/text';
const BLOB = 'demo://resource/dynamic/blob';

const read = (uri: string): Probe => request('resources/read', { uri });
const complete = (uri: string, argument: string, value: string): Probe =>
  request('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: argument, value } });

export const resources: readonly Probe[] = [
  ...['1', '250', '1.0', '01', '1e2', '0x10', '0', '-1', '1.5', 'one', '', '1/2', '%31', '%20', '%zz', 'Infinity'].map((id) =>
    read(`${TEXT}/${id}`),
  ),
  ...['1', '9007199254740993', '0', 'one'].map((id) => read(`${BLOB}/${id}`)),
  read('demo://resource/static/document/features.md'),
  read('demo://resource/static/document/no-such-document.md'),
  read('demo://resource/session/no-such-file'),
  read('demo://resource/dynamic/image/1'),
  read('no URI'),
  read(''),
  request('resources/read', {}),
  ...[TEXT, BLOB].flatMap((uri) => ['', '1', '0', 'one', '1.0'].map((value) => complete(`${uri}/{resourceId}`, 'resourceId', value))),
  complete(`${TEXT}/{resourceId}`, 'no-such-variable', '1'),
  complete(`${TEXT}/1`, 'resourceId', '1'),
  complete('demo://resource/static/document/features.md', 'resourceId', '1'),
  complete('demo://no-such-template/{id}', 'id', '1'),
  request('resources/subscribe', { uri: `${TEXT}/1` }),
  request('resources/subscribe', { uri: `${TEXT}/1` }, {}, ' again'),
  request('resources/subscribe', { uri: 'demo://resource/static/document/features.md' }),
  request('resources/subscribe', { uri: 'demo://no-such-resource' }),
  request('resources/unsubscribe', { uri: 'demo://no-such-resource' }),
  request('resources/unsubscribe', { uri: 'demo://never-subscribed' }),
  request('resources/subscribe', {}),
];
