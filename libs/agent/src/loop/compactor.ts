/** Holds what a model is shown of a conversation, and has the model summarise the beginning of it when there is no more room. */
import type { Message } from '../conversation/messages.js';
import { systemMessages } from '../conversation/system-messages.js';
import type { ChatReply, ToolDescription, Usage } from '../model/chat-model.js';
import { charactersOf, usageOf } from '../model/usage.js';
import { type Asked, type Asking, askModel } from './ask-model.js';
import { boundedSummary, compactionPlan, densityOf, isFull, type Room, summaryRequest, USUAL_DENSITY } from './compaction.js';
import { type Compacted, compactedView } from './compacted.js';

/** How much of a refused conversation is taken to fit: the endpoint has said only that it is too long. */
const SHARE_AFTER_REFUSAL = 0.6;

/** A reason why there is no summary. */
export type NotAsked = Exclude<Asked, { reply: ChatReply }>;

/** The run whose conversation it is. */
export interface CompactorOptions {
  /** Grows with the run. */
  readonly transcript: readonly Message[];
  /** Where the question of the run is in it. */
  readonly questionAt: number;
  /** Of the model that is asked next. */
  readonly contextTokens: () => number | undefined;
  readonly compacted: Compacted | undefined;
  readonly density: number | undefined;
  readonly asking: (step: string) => Asking;
  readonly count: (usage: Usage) => void;
  readonly isUsedUp: () => boolean;
}

export class Compactor {
  private known: Compacted | undefined;
  private measured: number | undefined;
  private summaries = 0;

  constructor(private readonly options: CompactorOptions) {
    this.known = options.compacted;
    this.measured = options.density;
  }

  /** The summary, if there is one. */
  get compacted(): Compacted | undefined {
    return this.known;
  }

  /** Tokens of a character, if an endpoint has counted. */
  get density(): number | undefined {
    return this.measured;
  }

  /** The messages for the model. */
  get view(): readonly Message[] {
    return compactedView(this.options.transcript, this.known);
  }

  /** Learns from the count of the request that was made last. */
  measure(reply: ChatReply, tools: readonly ToolDescription[]): void {
    if (reply.usage !== undefined) this.measured = densityOf(reply.usage.inputTokens, this.characters(tools));
  }

  /** Summarises before the next request would leave too little room. @returns why the model cannot be asked, if it is so */
  async whenFull(tools: readonly ToolDescription[]): Promise<NotAsked | undefined> {
    const room = { contextTokens: this.options.contextTokens() ?? Infinity, density: this.densityNow };
    return isFull(this.characters(tools), room) ? (await this.compact(room)).failure : undefined;
  }

  /** Summarises after a request was refused as too long. */
  async afterRefusal(tools: readonly ToolDescription[]): Promise<{ readonly isDone: boolean; readonly failure?: NotAsked }> {
    const density = this.densityNow;
    const estimate = this.characters(tools) * density;
    return this.compact({ contextTokens: Math.min(this.options.contextTokens() ?? Infinity, estimate) * SHARE_AFTER_REFUSAL, density });
  }

  private get densityNow(): number {
    return this.measured ?? USUAL_DENSITY;
  }

  private characters(tools: readonly ToolDescription[]): number {
    return this.view.reduce((sum, message) => sum + charactersOf(message), 0) + JSON.stringify(tools).length;
  }

  private async compact(room: Room): Promise<{ readonly isDone: boolean; readonly failure?: NotAsked }> {
    const { transcript, asking, count, isUsedUp } = this.options;
    const plan = compactionPlan(transcript, this.known, room);
    if (plan === undefined) return { isDone: false };
    asking('').host.report({ type: 'compaction', messages: plan.messages });
    let summary = this.known?.summary;
    for (const part of plan.parts) {
      if (isUsedUp()) return { isDone: false, failure: { isUsedUp: true } };
      this.summaries += 1;
      const request = summaryRequest(part, summary, plan);
      const asked = await askModel(asking(`summary ${this.summaries}`), request);
      if (!('reply' in asked)) return { isDone: false, failure: asked };
      count(usageOf(asked.reply, request.messages));
      summary = boundedSummary(asked.reply.content, plan);
    }
    this.known = { messages: plan.messages, summary: `${summary ?? ''}${this.questionIn(plan.messages)}` };
    return { isDone: true };
  }

  /** The question of the run, if only the summary would tell of it. */
  private questionIn(summarised: number): string {
    const { transcript, questionAt } = this.options;
    const question = transcript[questionAt];
    const isSummarised = systemMessages(transcript) + summarised > questionAt;
    return isSummarised && typeof question?.content === 'string' ? `\n\nThe question that you are working on:\n${question.content}` : '';
  }
}
