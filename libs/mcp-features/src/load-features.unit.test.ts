import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { everything } from './everything/everything.js';
import { loadFeatures } from './load-features.js';

const folder = fileURLToPath(new URL('../../../test/fixtures/feature-modules', import.meta.url));
const fixture = (name: string): string => `${folder}/${name}.mjs`;
const builtIn = everything().length;

/** The names of everything but what is built in. */
async function addedBy(...modules: string[]): Promise<string[]> {
  const { tools } = await loadFeatures({ modules });
  return tools.map(({ name }) => name).filter((name) => name.startsWith('fixture-'));
}

describe('loading features', () => {
  it('gives the built-in ones without any module', async () => {
    const { tools, prompts, resources, resourceTemplates, sessionJobs } = await loadFeatures();
    expect([tools, prompts, resources, resourceTemplates, sessionJobs].flat()).toHaveLength(builtIn);
    expect(tools.map(({ name }) => name)).toContain('echo');
  });

  it('adds those of a module, by its absolute path or by one from the working directory', async () => {
    const names = ['fixture-one', 'fixture-two'];
    expect(await addedBy(fixture('two-tools'))).toEqual(names);
    expect(await addedBy(`./${relative(process.cwd(), fixture('two-tools'))}`)).toEqual(names);
  });
});

describe('a module that cannot be used is named, with the reason in one line:', () => {
  const failing = fixture('fails');
  const nothing = fixture('nothing');
  const noArray = fixture('no-array');
  const noFeatures = fixture('no-features');

  it.each([
    ['it throws', failing, `Feature module "${failing}" cannot be loaded: no database`],
    [
      'it throws what is no error',
      'data:text/javascript,throw "a text"',
      'Feature module "data:text/javascript,throw "a text"" cannot be loaded: a text',
    ],
    ['it exports no features', nothing, `Feature module "${nothing}" does not export an array named "features".`],
    ['it is a package without features', 'zod', 'Feature module "zod" does not export an array named "features".'],
    ['its features are no array', noArray, `Feature module "${noArray}" does not export an array named "features".`],
    [
      'one of them is no feature',
      noFeatures,
      `Feature module "${noFeatures}": features[1] was made neither by a define function nor by featuresOf.`,
    ],
  ])('%s', async (_what, module, message) => {
    const error: unknown = await loadFeatures({ modules: [module] }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message });
  });

  it.each([
    ['it is not there', './no-such-module.mjs'],
    ['no package has that name', '@longhaul/no-such-package'],
    ['it is no JavaScript', 'data:text/javascript,export const features = ['],
  ])('%s', async (_what, module) => {
    const error: unknown = await loadFeatures({ modules: [module] }).catch((reason: unknown) => reason);
    const { message, cause } = error as Error;
    expect(message.startsWith(`Feature module "${module}" cannot be loaded: `)).toBe(true);
    expect(message).not.toContain('\n');
    expect(cause).toBeInstanceOf(Error);
  });

  it('two have a feature of the same name', async () => {
    const modules = [fixture('two-tools'), fixture('two-tools')];
    await expect(loadFeatures({ modules })).rejects.toThrow(new RangeError('Two tools are named "fixture-one".'));
  });
});
