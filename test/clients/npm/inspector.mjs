/** The command line of the Inspector: each command is a connection of its own. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assignment, isModern, play, textOf, unsupported } from '../program.ts';

const ENTRY = fileURLToPath(new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url));
const { url, stdio } = assignment;
const era = ['--protocol-era', isModern ? 'modern' : 'legacy', '--format', 'json', '--quiet'];
const settings = Object.entries(stdio?.env ?? {}).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
const target = stdio === undefined ? [url] : [stdio.command, ...stdio.args, ...settings];

/** Runs a command and returns the result that it prints. */
async function inspect(method, ...options) {
  const args = [ENTRY, '--cli', ...target, '--method', method, ...era, ...options];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { result } = JSON.parse(stdout);
  return result;
}

const call = (name, args = {}) => inspect('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args));
const names = async () => (await inspect('tools/list')).tools.map(({ name }) => name);
const noCommand = unsupported('there is no command for it');
const nobodyAnswers = unsupported('a command answers no questions');

await play(
  {
    list: names,
    version: async () => textOf(await call('suite-version')),
    call: async () => textOf(await call('suite-greet', { name: 'Ada' })),
    structured: async () => (await call('suite-add', { a: 1, b: 2 })).structuredContent,
    progress: unsupported('it prints results only'),
    elicitation: nobodyAnswers,
    sampling: nobodyAnswers,
    resources: async () => {
      const { resources } = await inspect('resources/list');
      const { contents } = await inspect('resources/read', '--uri', 'suite://note');
      return { uris: resources.map(({ uri }) => uri), text: textOf(contents[0]) };
    },
    prompts: async () => {
      const { prompts } = await inspect('prompts/list');
      const { messages } = await inspect('prompts/get', '--prompt-name', 'suite-review', '--prompt-args', 'language=Rust');
      return { names: prompts.map(({ name }) => name), text: textOf(messages[0]) };
    },
    completion: noCommand,
    subscription: noCommand,
    task: nobodyAnswers,
    cancel: noCommand,
    outlive: async () => textOf(await call('suite-outlive')),
    afterwards: unsupported('each command is a connection of its own'),
  },
  async () => ({
    shown: await names(),
    call: async (name, args) => textOf(await call(name, args)),
    // In 2026-07-28 it declares that it follows tasks.
    hasFollowedTask: isModern,
    question: isModern ? unsupported('its command line follows the task, and answers no questions') : undefined,
  }),
  async () => undefined,
);
