import { openMemoryStore } from '@longhaul/store-sqlite';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadFeatures } from './load-features.js';

const folder = fileURLToPath(new URL('../../../test/fixtures/feature-modules', import.meta.url));
const fixture = (name: string): string => `${folder}/${name}.mjs`;

/** The names of the tools of modules. */
async function toolsOf(...modules: string[]): Promise<string[]> {
  const { features } = await loadFeatures(modules);
  return features.tools.map(({ name }) => name);
}

describe('loading features', () => {
  it('gives none without any module', async () => {
    const { features, instructions } = await loadFeatures([]);
    expect(features.features).toEqual([]);
    expect(instructions).toBeUndefined();
  });

  it('gives what the modules say of how to use them, one after the other', async () => {
    const saying = (text: string) => `data:text/javascript,export const features = [], instructions = "${text}"`;
    const { instructions } = await loadFeatures([saying('First.'), fixture('two-tools'), saying('Second.')]);
    expect(instructions).toBe('First.\n\nSecond.');
  });

  it('gives the lines of the modules for the log, one after the other', async () => {
    const noticing = (line: string) => `data:text/javascript,export const features = [], notices = ["${line}"]`;
    const { notices } = await loadFeatures([noticing('First.'), fixture('two-tools'), noticing('Second.')]);
    expect(notices).toEqual(['First.', 'Second.']);
  });

  it('lets each module prepare a worker, and passes on why one cannot', async () => {
    const preparing = (code: string) => `data:text/javascript,export const features = [], prepareWorker = () => { ${code} }`;
    const { prepareWorker } = await loadFeatures([
      preparing('globalThis.isPrepared = true'),
      fixture('two-tools'),
      preparing('throw Error("no folder")'),
    ]);
    await expect(prepareWorker()).rejects.toThrow('no folder');
    expect(globalThis).toHaveProperty('isPrepared', true);
  });

  it('joins features that change with the others, and lets their modules open and close them', async () => {
    const changing = `data:text/javascript,
      const listeners = new Set();
      export const features = [];
      export const source = { features: [], onChange: (listener) => { listeners.add(listener); return () => listeners.delete(listener); } };
      export const prepareProcess = ({ process: { id, role }, warn }) => warn(role + ' ' + id);
      export const prepareGateway = ({ warn }) => { warn('opened'); for (const listener of listeners) listener(); };
      export const close = () => { globalThis.isClosed = true; };`;
    const loaded = await loadFeatures([fixture('two-tools'), changing]);
    expect(loaded.features.mayChange).toBe(true);
    expect(loaded.features.tools.map(({ name }) => name)).toEqual(['fixture-one', 'fixture-two']);
    let changes = 0;
    const lines: string[] = [];
    loaded.features.onChange(() => {
      changes += 1;
    });
    const warn = (line: string): void => void lines.push(line);
    await loaded.prepareProcess({ process: { id: 'g1', role: 'gateway' }, store: openMemoryStore(), warn });
    await loaded.prepareGateway({ resourceUpdated: () => undefined, warn });
    expect([changes, lines]).toEqual([1, ['gateway g1', 'opened']]);
    await loaded.close();
    expect(globalThis).toHaveProperty('isClosed', true);
  });

  it('gives those of a module, by its absolute path or by one from the working directory', async () => {
    const names = ['fixture-one', 'fixture-two'];
    expect(await toolsOf(fixture('two-tools'))).toEqual(names);
    expect(await toolsOf(`./${relative(process.cwd(), fixture('two-tools'))}`)).toEqual(names);
  });
});

describe('features that are called the same', () => {
  it('are refused with both modules', async () => {
    const [one, two] = [fixture('two-tools'), `./${relative(process.cwd(), fixture('two-tools'))}`];
    await expect(loadFeatures([one, two])).rejects.toThrow(
      new RangeError(`Feature modules "${one}" and "${two}" both have a tool that is named "fixture-one".`),
    );
  });

  it('are refused with the one module that has both', async () => {
    await expect(loadFeatures([fixture('two-tools'), fixture('two-tools')])).rejects.toThrow(
      new RangeError(`Feature module "${fixture('two-tools')}" has two tools that are named "fixture-one".`),
    );
  });
});

describe('a module that cannot be used is named, with the reason in one line:', () => {
  const failing = fixture('fails');
  const nothing = fixture('nothing');
  const noArray = fixture('no-array');
  const noFeatures = fixture('no-features');

  it.each([
    ['it throws', failing, `Feature module "${failing}" cannot be loaded: no database (${relative('', failing)}:2)`],
    [
      'it throws what is no error',
      'data:text/javascript,throw "a text"',
      'Feature module "data:text/javascript,throw "a text"" cannot be loaded: a text',
    ],
    ['it exports no features', nothing, `Feature module "${nothing}" does not export an array named "features".`],
    ['it is a package without features', 'zod', 'Feature module "zod" does not export an array named "features".'],
    ['its features are no array', noArray, `Feature module "${noArray}" does not export an array named "features".`],
    [
      'what it says of its use is no text',
      'data:text/javascript,export const features = [], instructions = 1',
      'Feature module "data:text/javascript,export const features = [], instructions = 1" exports "instructions" that are no text.',
    ],
    [
      'what it has for the log are no texts',
      'data:text/javascript,export const features = [], notices = [1]',
      'Feature module "data:text/javascript,export const features = [], notices = [1]" exports "notices" that are no array of texts.',
    ],
    [
      'what is to prepare a worker is no function',
      'data:text/javascript,export const features = [], prepareWorker = 1',
      'Feature module "data:text/javascript,export const features = [], prepareWorker = 1" exports a "prepareWorker" that is no function.',
    ],
    [
      'what changes is no source',
      'data:text/javascript,export const features = [], source = 1',
      'Feature module "data:text/javascript,export const features = [], source = 1" exports a "source" that is none.',
    ],
    [
      'what is to close it is no function',
      'data:text/javascript,export const features = [], close = 1',
      'Feature module "data:text/javascript,export const features = [], close = 1" exports a "close" that is no function.',
    ],
    [
      'one of them is no feature',
      noFeatures,
      `Feature module "${noFeatures}": features[1] was made neither by a define function nor by featuresOf.`,
    ],
  ])('%s', async (_what, module, message) => {
    const error: unknown = await loadFeatures([module]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message });
  });

  it.each([
    ['it is not there', './no-such-module.mjs'],
    ['no package has that name', '@longhaul/no-such-package'],
    ['it is no JavaScript', 'data:text/javascript,export const features = ['],
  ])('%s', async (_what, module) => {
    const error: unknown = await loadFeatures([module]).catch((reason: unknown) => reason);
    const { message, cause } = error as Error;
    expect(message.startsWith(`Feature module "${module}" cannot be loaded: `)).toBe(true);
    expect(message).not.toContain('\n');
    expect(cause).toBeInstanceOf(Error);
  });
});
