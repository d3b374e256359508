import { waitUntil } from '../../support/wait-until.js';
import type { Answers } from '../support/asked-client.js';
import { call, type Probe } from '../support/probe.js';

const refusing = (): never => {
  throw new Error('nobody is here');
};
const elicit = (action: string, content?: Record<string, unknown>): Answers => ({
  elicit: () => ({ action, ...(content !== undefined && { content }) }),
});

const WHOLE_FORM = {
  name: 'Ada',
  check: true,
  firstLine: 'Once upon a time',
  email: 'ada@a.example',
  homepage: 'https://a.example/',
  birthdate: '1815-12-10',
  integer: 7,
  number: 2.5,
  untitledSingleSelectEnum: 'Ross',
  untitledMultipleSelectEnum: ['Piano', 'Bass'],
  titledSingleSelectEnum: 'hero-2',
  titledMultipleSelectEnum: ['fish-2'],
  legacyTitledEnum: 'pet-3',
};
const ASYNC_FORM = { name: 'Ada', favoriteColor: 'Red', agreeToTerms: true };
const PAGE = { url: 'https://a.example/login', elicitationId: 'side-by-side' };

const forms = (tool: string, whole: Record<string, unknown>): Probe[] => [
  call(tool, {}, elicit('accept', whole), 'filled in'),
  call(tool, {}, elicit('accept', { name: 'Ada' }), 'filled in where it must be'),
  call(tool, {}, elicit('decline'), 'declined'),
  call(tool, {}, elicit('cancel'), 'cancelled'),
  call(tool, {}, { elicit: refusing }, 'answered with an error'),
];

const samples = (tool: string): Probe[] => [
  call(tool, { prompt: 'Say hello' }),
  call(tool, { prompt: 'Say hello', maxTokens: 7 }),
  call(tool, { prompt: '' }),
  call(tool, { prompt: 'Say hello', maxTokens: 'many' }),
  call(tool, {}),
  call(tool, { prompt: 'Say hello' }, { sample: refusing }, 'answered with an error'),
];

/** Tools that ask the client. */
export const askingTools: readonly Probe[] = [
  ...forms('trigger-elicitation-request', WHOLE_FORM),
  ...forms('trigger-elicitation-request-async', ASYNC_FORM),
  ...samples('trigger-sampling-request'),
  ...samples('trigger-sampling-request-async'),
  call('trigger-url-elicitation', PAGE, elicit('accept'), 'accepted'),
  call('trigger-url-elicitation', { ...PAGE, message: 'Log in.' }, elicit('decline'), 'declined'),
  call('trigger-url-elicitation', { url: PAGE.url }, elicit('cancel'), 'cancelled'),
  call('trigger-url-elicitation', PAGE, { elicit: refusing }, 'answered with an error'),
  call('trigger-url-elicitation', { url: 'no URL' }),
  call('trigger-url-elicitation', {}),
  call('trigger-url-elicitation', { ...PAGE, errorPath: true }, elicit('accept')),
  call('trigger-url-elicitation', { ...PAGE, errorPath: true }, elicit('accept'), 'again'),
  call('trigger-url-elicitation', { ...PAGE, errorPath: true }, elicit('accept'), 'a third time'),
  call('get-roots-list', {}),
  {
    name: 'get-roots-list {}, after the roots have changed',
    answers: { roots: [{ uri: 'file:///home/ada', name: 'Home' }, { uri: 'file:///tmp' }] },
    async run(client) {
      await client.client.sendRootsListChanged();
      // A server may know the roots from before for a moment.
      return waitUntil(
        async () => {
          const result = await client.request('tools/call', { name: 'get-roots-list', arguments: {} });
          return JSON.stringify(result).includes('Home') && result;
        },
        { description: 'the new roots are listed' },
      );
    },
  },
];
