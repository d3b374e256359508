/** Reads the options of a benchmark. `--help` prints them, and a wrong one is said in one line. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The benchmarks, which are named by the first argument. Without a name it is `main`. */
const KINDS: readonly string[] = [
  'main',
  'streams',
  'turns',
  'scale',
  'cluster',
  'operators',
  'proxy',
  'trust',
  'telemetry',
  'start',
  'memory',
  'children',
  'instructions',
];

/** The defaults of options by their names: a number, a text, a switch that is off, or nothing for a text without a default. */
type Defaults = Readonly<Record<string, number | string | false | undefined>>;

type Values<D extends Defaults> = {
  readonly [K in keyof D]: D[K] extends number ? number : D[K] extends false ? boolean : D[K] extends string ? string : string | undefined;
};

/** The benchmark that the arguments name. */
export function chosenKind([name = 'main']: readonly string[]): string {
  return KINDS.includes(name) ? name : 'main';
}

/** The options that the arguments of this process give. It ends the process with `--help`, and for arguments that there are not. */
export function readOptions<const D extends Defaults>(defaults: D): Values<D> {
  const given = process.argv.slice(2);
  try {
    return valuesOf(defaults, given);
  } catch (error) {
    if (error instanceof Help) process.stdout.write(`${error.message}\n`);
    else process.stderr.write(`npm run bench: ${error instanceof Error ? error.message.split('. To specify', 1)[0] : String(error)}\n`);
    process.exit(error instanceof Help ? 0 : 2);
  }
}

/** What `--help` prints. */
class Help extends Error {}

/** @throws Help; an Error with one line */
export function valuesOf<const D extends Defaults>(defaults: D, given: readonly string[]): Values<D> {
  const kind = chosenKind(given);
  const config: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(defaults).map(([name, byDefault]) => [name, { type: byDefault === false ? 'boolean' : 'string' }]),
  );
  const parsed = parseArgs({
    args: kind === given[0] ? given.slice(1) : [...given],
    options: { ...config, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const values: Readonly<Record<string, unknown>> = parsed.values;
  const [surplus] = parsed.positionals;
  if (values['help'] === true) throw new Help(helpOf(kind, defaults));
  if (surplus !== undefined) throw new Error(`There is no benchmark "${surplus}". Say one of: ${KINDS.join(', ')}.`);
  return Object.fromEntries(
    Object.entries(defaults).map(([name, byDefault]) => [name, valueOf(name, values[name] as string | boolean | undefined, byDefault)]),
  ) as Values<D>;
}

function valueOf(name: string, given: string | boolean | undefined, byDefault: Defaults[string]): unknown {
  if (given === undefined || typeof byDefault !== 'number') return given ?? byDefault;
  const number = Number(given);
  if (given === '' || !(number >= 0)) throw new Error(`--${name} must be a number from 0, and is ${JSON.stringify(given)}.`);
  return number;
}

function helpOf(kind: string, defaults: Defaults): string {
  const options = Object.entries(defaults).map(([name, byDefault]) => {
    const takes = byDefault === false ? '' : typeof byDefault === 'number' ? ' NUMBER' : ' TEXT';
    return `  --${name}${takes}${byDefault === false || byDefault === undefined || byDefault === '' ? '' : ` (${byDefault})`}`;
  });
  return [
    `npm run bench -- ${kind === 'main' ? '[OPTION…]' : `${kind} [OPTION…]`}`,
    ...options,
    `Others: ${KINDS.filter((other) => other !== kind && other !== 'main').join(', ')}; npm run bench -- NAME --help`,
  ].join('\n');
}
