// The site of the documentation. `npm run docs` writes its pages from docs/ and builds it.
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import NAVIGATION from './navigation.json' with { type: 'json' };

const REPOSITORY = 'https://github.com/longhaul-dev/longhaul';

const groups = NAVIGATION.map(({ label, pages, forContributors }) => ({
  label,
  collapsed: forContributors === true,
  items: [
    ...pages.map((slug) => ({ slug })),
    ...(forContributors ? [{ label: 'Decisions', collapsed: true, items: [{ autogenerate: { directory: 'adr' } }] }] : []),
  ],
}));

/** Wide tables scroll: the keyboard must reach them. */
const FOCUSABLE_TABLES = `addEventListener('DOMContentLoaded', () => {
  for (const table of document.querySelectorAll('main table')) table.tabIndex = 0;
});`;

export default defineConfig({
  site: 'https://longhaul-dev.github.io',
  base: '/longhaul',
  trailingSlash: 'always',
  telemetry: false,
  integrations: [
    starlight({
      title: 'Longhaul',
      description: 'Durable tasks for the Model Context Protocol',
      social: [{ icon: 'github', label: 'GitHub', href: REPOSITORY }],
      customCss: ['./src/styles/tables.css'],
      sidebar: [...groups, { label: 'API reference', link: '/api/' }],
      head: [{ tag: 'script', content: FOCUSABLE_TABLES }],
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      lastUpdated: false,
    }),
  ],
});
