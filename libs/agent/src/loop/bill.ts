/** Counts what the models of a run use and cost. */
import type { Spending } from '@longhaul/tasks';
import type { ChatModel, Usage } from '../model/chat-model.js';
import { isFree, type ModelBill, type ModelPrice, NO_USAGE, spentOn, sumOf } from '../model/usage.js';
import type { SetLimits } from './agent-limits.js';

/** A model of a run. */
export interface PricedModel {
  readonly model: ChatModel;
  readonly price?: ModelPrice | undefined;
  /** Tokens of its context, if they are known. */
  readonly contextTokens?: number | undefined;
}

export class Bill {
  private readonly entries = new Map<PricedModel, { requests: number; usage: Usage }>();
  /** The requests that tools have made by themselves. */
  private readonly others: ModelBill[] = [];

  /** A request to the model begins. */
  tried(model: PricedModel): void {
    this.entryOf(model).requests += 1;
  }

  add(model: PricedModel, usage: Usage): void {
    const entry = this.entryOf(model);
    entry.usage = sumOf(entry.usage, usage);
  }

  /** Adds the bill of a tool that has asked models by itself. */
  addBill(bill: readonly ModelBill[]): void {
    this.others.push(...bill);
  }

  /** The usage of all models. */
  get usage(): Usage {
    return this.all.reduce<Usage>((sum, entry) => sumOf(sum, entry), NO_USAGE);
  }

  /** What was spent, in the operator's currency; undefined where nothing costs anything. */
  get spent(): number | undefined {
    const priced = [...this.entries].flatMap(([{ price }, { usage }]) =>
      price === undefined || isFree(price) ? [] : [spentOn(usage, price)],
    );
    const costs = [...priced, ...this.others.flatMap(({ cost }) => cost ?? [])];
    return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
  }

  /** What is left of the limits of a run. */
  leftOf({ maxTokens, maxSpend }: Pick<SetLimits, 'maxTokens' | 'maxSpend'>): Spending {
    const { inputTokens, outputTokens } = this.usage;
    return {
      ...(maxTokens !== Infinity && { tokens: Math.max(0, Math.floor(maxTokens - inputTokens - outputTokens)) }),
      ...(maxSpend !== Infinity && { cost: Math.max(0, maxSpend - (this.spent ?? 0)) }),
    };
  }

  /** By model, in the order in which they were asked. */
  get entriesByModel(): readonly ModelBill[] {
    const byModel = new Map<string, ModelBill>();
    for (const entry of this.all) {
      const { model } = entry;
      const before = byModel.get(model);
      byModel.set(model, before === undefined ? entry : joined(before, entry));
    }
    return [...byModel.values()];
  }

  private get all(): readonly ModelBill[] {
    const own = [...this.entries].map(([{ model, price }, { requests, usage }]) => {
      const cost = price === undefined ? {} : { cost: spentOn(usage, price) };
      return Object.assign({ model: model.name, requests }, usage, cost);
    });
    return [...own, ...this.others];
  }

  private entryOf(model: PricedModel): { requests: number; usage: Usage } {
    const entry = this.entries.get(model) ?? { requests: 0, usage: NO_USAGE };
    this.entries.set(model, entry);
    return entry;
  }
}

function joined(one: ModelBill, other: ModelBill): ModelBill {
  const costs = [one.cost, other.cost].filter((cost) => cost !== undefined);
  return {
    model: one.model,
    requests: one.requests + other.requests,
    ...sumOf(one, other),
    ...(costs.length > 0 && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
  };
}
