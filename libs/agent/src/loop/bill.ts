/** Counts what the models of a run use and cost. */
import type { ChatModel, Usage } from '../model/chat-model.js';
import { isFree, type ModelPrice, NO_USAGE, spentOn, sumOf } from '../model/usage.js';
import type { ModelBill } from './outcome.js';

/** A model of a run. */
export interface PricedModel {
  readonly model: ChatModel;
  readonly price?: ModelPrice | undefined;
  /** Tokens of its context, if they are known. */
  readonly contextTokens?: number | undefined;
}

export class Bill {
  private readonly entries = new Map<PricedModel, { requests: number; usage: Usage }>();

  /** A request to the model begins. */
  tried(model: PricedModel): void {
    this.entryOf(model).requests += 1;
  }

  add(model: PricedModel, usage: Usage): void {
    const entry = this.entryOf(model);
    entry.usage = sumOf(entry.usage, usage);
  }

  /** The usage of all models. */
  get usage(): Usage {
    return [...this.entries.values()].reduce((sum, entry) => sumOf(sum, entry.usage), NO_USAGE);
  }

  /** What was spent, in the operator's currency; undefined where nothing costs anything. */
  get spent(): number | undefined {
    const priced = [...this.entries].flatMap(([{ price }, { usage }]) =>
      price === undefined || isFree(price) ? [] : [spentOn(usage, price)],
    );
    return priced.length === 0 ? undefined : priced.reduce((sum, cost) => sum + cost, 0);
  }

  /** By model, in the order in which they were asked. */
  get entriesByModel(): readonly ModelBill[] {
    return [...this.entries].map(([{ model, price }, { requests, usage }]) => {
      const cost = price === undefined ? {} : { cost: spentOn(usage, price) };
      return Object.assign({ model: model.name, requests }, usage, cost);
    });
  }

  private entryOf(model: PricedModel): { requests: number; usage: Usage } {
    const entry = this.entries.get(model) ?? { requests: 0, usage: NO_USAGE };
    this.entries.set(model, entry);
    return entry;
  }
}
