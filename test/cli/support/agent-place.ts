/** `longhaul agent` for tests: at a scripted endpoint, on pipes or on a terminal, with the server that tests have for it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type EndpointOptions,
  type Script,
  type ScriptedEndpoint,
  type ScriptedReply,
  startScriptedEndpoint,
} from '@longhaul/agent/testing';
import type { Outcome } from '@longhaul/agent';
import { INHERITED_ENV } from '../../support/inherited-env.js';
import { alive, ENTRY, Workplace } from './launcher.js';
import { TerminalProgram } from './terminal.js';

/** The key of the endpoint: it must be shown nowhere. */
export const KEY = 'sk-very-secret-key';

const SERVER = fileURLToPath(new URL('agent-server.ts', import.meta.url));

/** A command that starts the server that tests have for this. */
export const NOTES = `'${process.execPath}' '${SERVER}'`;

/** How a run on pipes has ended. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A folder with an endpoint and the agents that are started there. */
export class AgentPlace {
  readonly #place = new Workplace();
  readonly #programs: TerminalProgram[] = [];
  #endpoint: ScriptedEndpoint | undefined;

  get folder(): string {
    return this.#place.folder;
  }

  get endpoint(): ScriptedEndpoint {
    if (this.#endpoint === undefined) throw new Error('There is no endpoint.');
    return this.#endpoint;
  }

  /** What the server has noted, line by line. */
  get notes(): string[] {
    const file = join(this.folder, 'notes.txt');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  async script(script: Script, options?: EndpointOptions): Promise<void> {
    this.#endpoint = await startScriptedEndpoint(script, options);
  }

  /** Runs it on pipes, without a standard input or with this one. */
  async run(args: readonly string[], env: NodeJS.ProcessEnv = {}, input?: string): Promise<Run> {
    const launcher = this.start(args, env, input !== undefined);
    if (input !== undefined) launcher.write(input);
    if (input !== undefined) launcher.endInput();
    const { code } = await launcher.ended;
    return { code, out: launcher.stdout(), err: launcher.stderr() };
  }

  /** The same without waiting for its end. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}, withInput = false) {
    const all = ['agent', ...args];
    const settings = { ...this.#settings(), ...env };
    return withInput ? this.#place.runWithInput(all, settings) : this.#place.run(all, settings);
  }

  /** Its outcome as `--json` gives it, and the exit code. */
  async outcome(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome & { readonly code: number | null }> {
    const { code, out } = await this.run(['--json', ...args], env);
    return { ...(JSON.parse(out) as Outcome), code };
  }

  /** Runs it on a terminal. */
  terminal(args: readonly string[], env: NodeJS.ProcessEnv = {}): TerminalProgram {
    const settings = { ...INHERITED_ENV, HOME: this.folder, TERM: 'xterm', ...this.#settings(), ...env };
    const program = new TerminalProgram([process.execPath, ENTRY, 'agent', ...args], { cwd: this.folder, env: settings });
    this.#programs.push(program);
    return program;
  }

  /** All processes of a program, itself included. */
  family({ pid }: { readonly pid: number }): number[] {
    return this.#place.family({ pid });
  }

  /** Those that still run. */
  alive(pids: readonly number[]): number[] {
    return alive(pids);
  }

  async close(): Promise<void> {
    for (const program of this.#programs) program.kill();
    await this.#place.close();
    await this.#endpoint?.close();
  }

  #settings(): NodeJS.ProcessEnv {
    if (this.#endpoint === undefined) return {};
    return {
      LONGHAUL_AGENT_BASE_URL: this.#endpoint.url,
      LONGHAUL_AGENT_MODEL: 'scripted',
      LONGHAUL_AGENT_API_KEY: KEY,
      LONGHAUL_AGENT_TOOL_MODE: 'native',
    };
  }
}

/** A reply of the model that calls tools. */
export function calling(...calls: readonly (readonly [name: string, args?: object])[]): ScriptedReply {
  return { toolCalls: calls.map(([name, args = {}]) => ({ name, arguments: args as never })) };
}
