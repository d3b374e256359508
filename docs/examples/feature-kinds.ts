/** One feature of each kind: LONGHAUL_FEATURES=./docs/examples/feature-kinds.ts npm start */
import { definePrompt, defineResource, defineResourceTemplate, defineSessionJob, defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const celsius = new Map([
  ['Oslo', 4],
  ['Rome', 19],
]);

// #region tool
const temperature = defineTool({
  name: 'temperature',
  description: 'How warm it is in a city; asks the user if there is no measurement.',
  input: z.object({ city: z.string().min(1) }),
  output: z.object({ celsius: z.number() }),
  async run({ city }, context) {
    const measured = celsius.get(city);
    if (measured !== undefined) return { celsius: measured };
    if (!context.elicitEnabled) throw new Error(`There is no measurement of ${city}.`);
    const answer = await context.elicit(z.object({ celsius: z.number() }), `How warm is it in ${city}?`);
    if (answer.action !== 'accept') throw new Error(`It is unknown how warm it is in ${city}.`);
    return answer.content;
  },
});
// #endregion

// #region changed
const remindOfWeather = defineTool({
  name: 'remind-of-weather',
  description: 'Says after some hours what the weather in a city is like.',
  input: z.object({ city: z.string().min(1), hours: z.number().min(0) }),
  task: 'optional',
  async run({ city, hours }, context) {
    await context.sleep('some hours', hours * 3_600_000);
    // Added later: a task that had looked before goes on without it.
    const advice = context.changed('advice') ? await context.step('advise', () => ' Take an umbrella.') : '';
    return context.step('look', () => `${city}: ${celsius.get(city) ?? 'unknown'}.${advice}`);
  },
});
// #endregion

// #region continue
const copyPages = defineTool({
  name: 'copy-pages',
  description: 'Copies one page after the other, for as long as there are pages.',
  input: z.object({ page: z.number().int().default(1), pages: z.number().int() }),
  task: 'optional',
  async run({ page, pages }, context) {
    await context.step('copy', () => ({ copied: page }));
    context.status(`Copied page ${page} of ${pages}.`);
    if (page < pages) await context.continueAsNew({ page: page + 1, pages });
    return `Copied ${pages} pages.`;
  },
});
// #endregion

// #region parts
const report = defineTool({
  name: 'report',
  description: 'Describes the weather of each city.',
  input: z.object({}),
  task: 'optional',
  async *run(_args, context) {
    for (const [name, degrees] of celsius) {
      yield await context.step(`describe ${name}`, () => `${name} has ${degrees} °C.`);
    }
  },
});
// #endregion

// #region raw
const sumOfFields = defineTool({
  name: 'sum-of-fields',
  description: 'Adds the numbers of any fields.',
  input: { type: 'object', additionalProperties: { type: 'number' }, minProperties: 1 },
  run: (fields) => Object.values(fields).reduce((sum: number, value) => sum + Number(value), 0),
});
// #endregion

// #region headers
const forecast = defineTool({
  name: 'forecast',
  description: 'What the weather will be like in a region.',
  input: z.object({ region: z.enum(['north', 'south']).meta({ 'x-mcp-header': 'Region' }) }),
  run: ({ region }) => (region === 'north' ? 'Rain.' : 'Sunshine.'),
});
// #endregion

// #region prompt
const postcard = definePrompt({
  name: 'postcard',
  description: 'A postcard from a city.',
  arguments: z.object({ city: z.string().describe('Where you are'), tone: z.enum(['warm', 'dry']).default('warm') }),
  complete: {
    city: (typed) => [...celsius.keys()].filter((city) => city.startsWith(typed)),
    tone: (_typed, { city }) => (city === 'Oslo' ? ['dry'] : ['warm', 'dry']),
  },
  run: ({ city, tone }) => `Write a ${tone} postcard from ${city}.`,
});
// #endregion

// #region resource
const cities = defineResource({
  uri: 'weather://cities',
  name: 'cities',
  description: 'Everything that was measured.',
  read: () => Object.fromEntries(celsius),
});
// #endregion

// #region template
const city = defineResourceTemplate({
  uriTemplate: 'weather://cities/{city}',
  name: 'city',
  description: 'What was measured in a city.',
  mimeType: 'text/plain',
  complete: { city: (typed) => [...celsius.keys()].filter((name) => name.startsWith(typed)) },
  list: () => [...celsius.keys()].map((name) => ({ uri: `weather://cities/${encodeURIComponent(name)}`, name })),
  read({ city: name }) {
    const measured = celsius.get(name);
    return measured === undefined ? undefined : `${measured} °C`;
  },
});
// #endregion

// #region session-job
const weatherUpdates = defineSessionJob({
  name: 'weather-updates',
  everyMs: 1_000,
  async run(context) {
    const round = Number((await context.session.get('weather/round')) ?? 0) + 1;
    await context.session.set('weather/round', round);
    context.log('info', `Measured again, the ${round}. time.`, 'weather');
    for (const uri of await context.session.subscriptions()) context.resourceUpdated(uri);
  },
});

const followWeather = defineTool({
  name: 'follow-weather',
  description: 'Starts or stops messages about the weather.',
  input: z.object({ follow: z.boolean() }),
  needsSession: true,
  async run({ follow }, { session }) {
    if (follow) return (await session?.startJob('weather-updates')) === true ? 'Started.' : 'Started already.';
    return (await session?.stopJob('weather-updates')) === true ? 'Stopped.' : 'Not started.';
  },
});
// #endregion

// #region records
const measure = defineTool({
  name: 'measure',
  description: 'Notes what you have measured in a city, and says how often you did.',
  input: z.object({ city: z.string().min(1), celsius: z.number() }),
  async run({ city, celsius: degrees }, { owner }) {
    if (owner === undefined) throw new Error('You are unknown here: use a session, or authenticate.');
    const times = await owner.collection('weather').update((records) => {
      const earlier = (records.get(city) ?? []) as number[];
      return { changes: [{ id: city, value: [...earlier, degrees] }], result: earlier.length + 1 };
    });
    owner.resourceUpdated('weather://measured');
    return `Measured ${times} times.`;
  },
});

const measured = defineResource({
  uri: 'weather://measured',
  name: 'measured',
  read: (_uri, { owner }) => owner?.collection('weather').read((records) => Object.fromEntries(records)) ?? {},
});
// #endregion

// #region records-in-tasks
const remeasure = defineTool({
  name: 'remeasure',
  description: 'Measures in a city after some hours, and notes it once.',
  input: z.object({ city: z.string().min(1), hours: z.number().min(0) }),
  task: 'optional',
  async run({ city, hours }, { owner, sleep, step }) {
    if (owner === undefined) throw new Error('You are unknown here: use a session, or authenticate.');
    await sleep('some hours', hours * 3_600_000);
    return step('measure', ({ idempotencyKey }) =>
      owner.collection('remeasured').update((records) => {
        // The worker may have died after the update and before the record of this step.
        const result = records.has(idempotencyKey) ? 'Noted already.' : 'Noted.';
        return { changes: [{ id: idempotencyKey, value: { city, celsius: celsius.get(city) ?? null } }], result };
      }),
    );
  },
});
// #endregion

/** Gateways and workers load what is exported under this name. */
export const features = [
  temperature,
  copyPages,
  remindOfWeather,
  report,
  sumOfFields,
  forecast,
  postcard,
  cities,
  city,
  weatherUpdates,
  followWeather,
  measure,
  measured,
  remeasure,
];
