/**
 * Searches tasks for a text: they come as they are found, newest first. After some of them the search rests, until somebody wants more. It
 * continues where it was, also after a lost connection.
 */
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { addressOf, type Query } from '../api/client.js';
import { openStream } from '../api/stream.js';
import type { Task } from '../../../src/answers.js';

/** The search rests when it has found so many. */
const ENOUGH = 100;

/** What a search has found, and how far it is. */
export interface FoundTasks {
  readonly tasks: readonly Task[];
  /** How many tasks were read, and how many of them could not be. */
  readonly looked: number;
  readonly unreadable: number;
  /** When the task was created that was read last. */
  readonly reached?: string | undefined;
  readonly isSearching: boolean;
  /** All tasks were read. */
  readonly isAtEnd: boolean;
}

/** As the API sends it: the numbers since the one before. */
interface Progress extends Pick<FoundTasks, 'looked' | 'unreadable' | 'reached'> {
  readonly cursor?: string;
}

class TextSearch {
  readonly found = signal<FoundTasks>({ tasks: [], looked: 0, unreadable: 0, isSearching: false, isAtEnd: false });
  /** Why it cannot be searched, such as a wrong filter. */
  readonly refusal = signal<string | undefined>(undefined);
  #cursor: string | undefined;
  #enough = 0;
  #end: (() => void) | undefined;

  constructor(private readonly query: Query) {}

  readonly goOn = (): void => {
    if (this.#end !== undefined) return;
    this.#enough = this.found.peek().tasks.length + ENOUGH;
    this.#say({ isSearching: true });
    this.#end = openStream({
      address: () => addressOf('tasks/search', { ...this.query, cursor: this.#cursor }),
      events: {
        task: (data) => this.#take(data as Task),
        progress: (data) => this.#progress(data as Progress),
        end: () => {
          this.#say({ isAtEnd: true });
          this.rest();
        },
      },
      refused: (message) => {
        this.refusal.value = message;
        this.rest();
      },
    });
  };

  readonly rest = (): void => {
    this.#end?.();
    this.#end = undefined;
    this.#say({ isSearching: false });
  };

  /** After a lost connection, a task may come a second time. */
  #take(task: Task): void {
    const { tasks } = this.found.peek();
    if (!tasks.some(({ taskId }) => taskId === task.taskId)) this.#say({ tasks: [...tasks, task] });
  }

  #progress({ looked, unreadable, reached, cursor }: Progress): void {
    const before = this.found.peek();
    this.#cursor = cursor;
    this.#say({ looked: before.looked + looked, unreadable: before.unreadable + unreadable, reached });
    if (before.tasks.length >= this.#enough && cursor !== undefined) this.rest();
  }

  #say(change: Partial<FoundTasks>): void {
    this.found.value = { ...this.found.peek(), ...change };
  }
}

/** Searches while a view shows it. */
export function useTextSearch(query: Query): Pick<TextSearch, 'found' | 'refusal' | 'goOn' | 'rest'> {
  const key = JSON.stringify(query);
  const search = useMemo(() => new TextSearch(query), [key]);
  useEffect(() => {
    search.goOn();
    return search.rest;
  }, [search]);
  return search;
}
