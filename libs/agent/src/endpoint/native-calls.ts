/**
 * Puts the calls of one answer together. Servers differ. Calls come in fragments or whole, with or without an index. Some servers give
 * every call the index 0. Some give no id, or a new one with each fragment. Some cut names into fragments.
 */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import type { ToolCall } from '../conversation/messages.js';
import { JsonProgress } from './json-progress.js';

interface CallParts {
  id: string;
  name: string;
  text: string;
  readonly progress: JsonProgress;
  /** Whether it is no call unless arguments follow: its beginning may be the end of the one before. */
  readonly isDoubtful: boolean;
}

/** The content of a piece. */
interface Piece {
  readonly index: Json | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** Takes the pieces of calls. */
export class NativeCalls {
  readonly #calls: CallParts[] = [];
  readonly #byIndex = new Map<number, CallParts>();
  readonly #byId = new Map<string, CallParts>();

  /** @param toolNames the tools that were offered */
  constructor(private readonly toolNames: ReadonlySet<string>) {}

  /** Adds a piece of a call, or a whole call. */
  add(json: JsonObject): void {
    const piece = pieceOf(json);
    const call = this.#callOf(piece);
    call.id ||= piece.id;
    if (!this.#byId.has(call.id)) this.#byId.set(call.id, call);
    if (call.text === '') call.name = this.#nameOf(call.name, piece.name);
    addText(call, piece);
  }

  /**
   * Ends the reading and returns the calls.
   *
   * @param isCut whether the answer was cut off. Then the arguments of the last call are incomplete, and may be missing.
   */
  finish(isCut = false): ToolCall[] {
    return this.#calls
      .filter(({ text, isDoubtful }) => text !== '' || !isDoubtful)
      .map(({ id, name, text }, index, { length }) => {
        const mayBeCut = isCut && index === length - 1;
        return { id, type: 'function', function: { name, arguments: text === '' && !mayBeCut ? '{}' : text } };
      });
  }

  #callOf(piece: Piece): CallParts {
    const { index, id, name, text } = piece;
    const call = this.#candidate(piece);
    if (call !== undefined && (name === '' || !this.#beginsAnother(call, piece))) return call;
    const isRepetition = call !== undefined && name === call.name && id === '' && text === '';
    const begun: CallParts = { id: '', name: '', text: '', progress: new JsonProgress(), isDoubtful: isRepetition };
    this.#calls.push(begun);
    if (typeof index === 'number') this.#byIndex.set(index, begun);
    return begun;
  }

  /** The call that a piece continues, unless it begins another one. Without a name it cannot begin one. */
  #candidate({ index, id, name }: Piece): CallParts | undefined {
    const atIndex = typeof index === 'number' ? this.#byIndex.get(index) : undefined;
    if (atIndex !== undefined) return atIndex;
    const withId = id === '' ? undefined : this.#byId.get(id);
    if (name === '') return withId ?? this.#calls.at(-1);
    if (typeof index === 'number') return undefined;
    return id === '' ? this.#calls.at(-1) : withId;
  }

  /** Whether a piece with a name is the first one of another call. Without ids to compare, a call ends where its arguments end. */
  #beginsAnother(call: CallParts, { id, name }: Piece): boolean {
    if (id !== '' && call.id !== '') return id !== call.id;
    if (call.progress.isWhole) return true;
    if (call.text !== '') return name !== call.name;
    return name !== call.name && this.toolNames.has(call.name) && !this.#beginsName(call.name + name);
  }

  /** A name may come again with each piece, or in fragments. */
  #nameOf(begun: string, piece: string): string {
    if (piece === '' || (piece === begun && (this.toolNames.has(begun) || !this.#beginsName(begun + piece)))) return begun;
    return begun + piece;
  }

  #beginsName(text: string): boolean {
    for (const name of this.toolNames) if (name.startsWith(text)) return true;
    return false;
  }
}

/** Some servers leave out the object `function` around name and arguments. */
function pieceOf(json: JsonObject): Piece {
  const called = isJsonObject(json['function']) ? json['function'] : json;
  const given = called['arguments'];
  return {
    index: json['index'],
    id: textOf(json['id']),
    name: textOf(called['name']),
    text: isJsonObject(given) ? JSON.stringify(given) : textOf(given),
  };
}

function addText(call: CallParts, { id, text }: Piece): void {
  // The whole call once more, at the end.
  if (call.progress.isWhole && id !== '' && id === call.id && text === call.text) return;
  // Some servers begin with an empty object, and then send the arguments.
  if (call.text.trim() === '{}' && text.trimStart().startsWith('{')) call.text = '';
  call.text += text;
  call.progress.push(text);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
