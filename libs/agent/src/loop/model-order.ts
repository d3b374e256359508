/** Keeps the order in which the models of a run are asked, and the present one of them. */
import type { ModelErrorCode } from '../model/model-error.js';
import { isFree } from '../model/usage.js';
import type { SetLimits } from './agent-limits.js';
import type { AgentRun } from './agent-run.js';
import type { PricedModel } from './bill.js';

/** Why another model may answer what this one does not. */
const ANSWERED_ELSEWHERE: ReadonlySet<ModelErrorCode> = new Set(['RATE_LIMITED', 'TIMEOUT', 'UNAVAILABLE', 'CONTEXT_OVERFLOW']);
/** Tries and waits, milliseconds, of a model that is not the last one. */
const HASTY_TRIES = 2;
const HASTY_WAIT_MS = 5_000;

export class ModelOrder {
  private readonly models: readonly PricedModel[];
  private at = 0;
  /** The model that is asked now. */
  present: PricedModel;

  constructor(private readonly run: Pick<AgentRun, 'model' | 'price' | 'contextTokens' | 'fallbacks' | 'host'>) {
    const { model, price, contextTokens, fallbacks = [] } = run;
    this.present = { model, price, contextTokens };
    this.models = [this.present, ...fallbacks.filter((fallback) => fallback.model.name !== model.name)];
  }

  /** Whether the present model costs something. */
  get hasPrice(): boolean {
    const { price } = this.present;
    return price !== undefined && !isFree(price);
  }

  /** Takes the next model if that may answer. @returns whether there is one */
  fallBack({ code, message }: { readonly code: ModelErrorCode; readonly message: string }): boolean {
    const { next } = this;
    if (next === undefined || !ANSWERED_ELSEWHERE.has(code)) return false;
    this.run.host.report({ type: 'fallback', from: this.present.model.name, to: next.model.name, reason: message });
    this.present = next;
    this.at += 1;
    return true;
  }

  /** The limits of a request. With another model at hand, a long wait is worth nothing. */
  limitsFor(limits: SetLimits): SetLimits {
    if (this.next === undefined) return limits;
    const { maxModelTries, maxModelWaitMs } = limits;
    const hasty = { maxModelTries: Math.min(maxModelTries, HASTY_TRIES), maxModelWaitMs: Math.min(maxModelWaitMs, HASTY_WAIT_MS) };
    return { ...limits, ...hasty };
  }

  private get next(): PricedModel | undefined {
    return this.models[this.at + 1];
  }
}
