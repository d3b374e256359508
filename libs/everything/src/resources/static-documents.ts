/** Serves the documents of this package as resources. */
import { readdirSync, readFileSync } from 'node:fs';
import { defineResource, type Resource } from '@longhaul/mcp-features';
import { packageFile } from '@longhaul/runtime/package-file';

const DOCUMENTS = packageFile('documents/', import.meta.url);

/**
 * A resource for each Markdown file of a folder, in the order of their names. They are read once, so a process always serves the same text.
 *
 * @throws Error when the folder cannot be read
 */
export function staticDocuments(folder: URL = DOCUMENTS): readonly Resource[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ name }) => name);
  return names.toSorted().map((name) => {
    const text = readFileSync(new URL(encodeURIComponent(name), folder), 'utf8');
    return defineResource({
      name,
      uri: `demo://resource/static/document/${encodeURIComponent(name)}`,
      description: `Static document file exposed from /docs: ${name}`,
      mimeType: 'text/markdown',
      read: () => text,
    });
  });
}
