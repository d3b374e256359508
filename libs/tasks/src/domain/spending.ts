/** Defines what tasks spend, and how much they may. */
import { shown } from './shown.js';

/** An amount: money, in the currency of the deployment, and tokens of models. */
export interface Spending {
  readonly cost?: number;
  readonly tokens?: number;
}

/** Sums of money have no more digits than this many parts of one. */
const PARTS = 1e9;

/** The sum; each is left as it was. */
export function sumOfSpending(one: Spending | undefined, other: Spending): Spending {
  return both(one ?? {}, other, (left = 0, right = 0) => Math.round((left + right) * PARTS) / PARTS);
}

/** What both allow. */
export function stricterBudget(one: Spending | undefined, other: Spending | undefined): Spending | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return both(one, other, (left = Infinity, right = Infinity) => Math.min(left, right));
}

/** What is left of a budget, from 0. */
export function leftOf(budget: Spending, spent: Spending = {}): Spending {
  return {
    ...(budget.cost !== undefined && { cost: left(budget.cost, spent.cost) }),
    ...(budget.tokens !== undefined && { tokens: left(budget.tokens, spent.tokens) }),
  };
}

/** The members of which nothing is left. */
export function usedUp(budget: Spending | undefined, spent: Spending | undefined): readonly (keyof Spending)[] {
  if (budget === undefined) return [];
  const rest = leftOf(budget, spent);
  return (['cost', 'tokens'] as const).filter((member) => rest[member] === 0);
}

function left(most: number, spent = 0): number {
  return Math.max(0, Math.round((most - spent) * PARTS) / PARTS);
}

function both(one: Spending, other: Spending, join: (left?: number, right?: number) => number): Spending {
  return {
    ...((one.cost !== undefined || other.cost !== undefined) && { cost: join(one.cost, other.cost) }),
    ...((one.tokens !== undefined || other.tokens !== undefined) && { tokens: join(one.tokens, other.tokens) }),
  };
}

/**
 * Why something is no amount; nothing for one.
 *
 * @param field as in `spend` or `Tool "echo": budget`
 */
export function problemOfSpending(field: string, given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return `${field} must be an object with cost, tokens or both, and is ${shown(given)}.`;
  for (const [name, value] of Object.entries(given)) {
    if (name !== 'cost' && name !== 'tokens') return `${field} has a member "${name}"; it may have cost and tokens.`;
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0) || value > MOST || (name === 'tokens' && !Number.isInteger(value)))
      return `${field}.${name} must be a ${name === 'tokens' ? 'whole ' : ''}number from 0 to ${MOST}, and is ${shown(value)}.`;
  }
  return undefined;
}

const MOST = 1e12;
