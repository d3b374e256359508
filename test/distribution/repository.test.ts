/** Tests that the repository has the files that people and tools look for. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { documents, exists, pathsOf, textOf } from '../docs/documents.js';

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { strategy?: { matrix: { stage: readonly string[] } }; steps: readonly { run?: string; uses?: string }[] }>
  >;
}

function workflow(name: string): Workflow {
  return parse(textOf(`.github/workflows/${name}.yml`)) as Workflow;
}

function commandsOf({ jobs }: Workflow): string[] {
  return Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}

describe('the workflows', () => {
  it('run the gate on every change, and may change nothing', () => {
    const ci = workflow('ci');
    expect(Object.keys(ci.on)).toEqual(expect.arrayContaining(['push', 'pull_request']));
    expect(commandsOf(ci).at(-1)).toBe('.ci/run');
    for (const name of ['ci', 'nightly']) expect(workflow(name).permissions).toEqual({ contents: 'read' });
  });

  it('run every stage of the long gate by night', () => {
    const nightly = workflow('nightly');
    const [, stages = ''] = /^stages=\((.*)\)$/m.exec(textOf('.ci/full')) ?? [];
    expect(nightly.jobs['full']?.strategy?.matrix.stage).toEqual(stages.split(' '));
    expect(commandsOf(nightly)).toContain('.ci/full ${{ matrix.stage }}');
  });
});

describe('the gates', () => {
  it('need nothing outside of the repository but what they look for first', () => {
    const outside = pathsOf('.ci/*').flatMap((path) => textOf(path).match(/\.\.\/[\w./-]*/g) ?? []);
    // The first is the repository itself, seen from .ci.
    expect(new Set(outside.filter((path) => path !== '../'))).toEqual(new Set(['../shared/tools/docker-up.sh']));
    expect(textOf('.ci/stages.sh')).toContain('if [ -f "$docker_up" ]; then');
  });
});

describe('the repository', () => {
  it.each([
    'LICENSE',
    'SECURITY.md',
    'CODE_OF_CONDUCT.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'renovate.json',
    '.github/pull_request_template.md',
  ])('has %s', (path) => {
    expect(exists(path)).toBe(true);
  });

  it('says whose it is and where it is', () => {
    expect(textOf('LICENSE')).toMatch(/^ +Copyright \d{4} The Longhaul authors$/m);
    expect(textOf('LICENSE')).not.toContain('[yyyy]');
    const { repository, bugs, homepage, keywords, license } = JSON.parse(textOf('package.json')) as {
      repository: { url: string };
      bugs: { url: string };
      homepage: string;
      keywords: string[];
      license: string;
    };
    const url = 'https://github.com/longhaul-dev/longhaul';
    expect([repository.url, bugs.url, homepage]).toEqual([`git+${url}.git`, `${url}/issues`, `${url}#readme`]);
    expect(keywords).toContain('mcp');
    expect(license).toBe('Apache-2.0');
  });

  it('asks for what an issue needs', () => {
    const forms = pathsOf('.github/ISSUE_TEMPLATE/*.yml').filter((path) => !path.endsWith('config.yml'));
    for (const path of forms) {
      const form = parse(textOf(path)) as {
        name: string;
        description: string;
        body: { id?: string; validations?: { required: boolean } }[];
      };
      expect(form.name, path).toBeTruthy();
      expect(form.description, path).toBeTruthy();
      expect(form.body.some(({ validations }) => validations?.required === true), path).toBe(true); // prettier-ignore
    }
    expect(forms).toHaveLength(2);
    const { contact_links: links } = parse(textOf('.github/ISSUE_TEMPLATE/config.yml')) as { contact_links: { url: string }[] };
    expect(links.map(({ url }) => url)).toContain('https://github.com/longhaul-dev/longhaul/security/advisories/new');
  });

  it('has documents whose links to files lead somewhere', () => {
    const dead = documents.flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)\s]*)?\)/g)].flatMap(([, target = '']) => {
        const place = new URL(target, `file:///${path}`).pathname.slice(1);
        return place === '' || exists(decodeURIComponent(place)) ? [] : [`${path}: ${target}`];
      }),
    );
    expect(dead).toEqual([]);
  });
});

describe('texts', () => {
  it('are cut between characters, by the functions for that, where an ellipsis shows that they are cut', () => {
    const cuts = pathsOf('{apps,libs,packages}/*/{src,page/src}/**/*.{ts,tsx}').filter(
      (path) => !path.endsWith('.unit.test.ts') && /(?:slice|substring|substr)\([^()]*\)\}(?:…|\.\.\.)/.test(textOf(path)),
    );
    expect(cuts).toEqual([]);
  });
});
