/** Counts the costs of a conversation: its questions, and the sampling requests of servers. */
import { type ChatModel, ModelError, type ModelPrice, spentOn, type Usage, usageOf } from '@longhaul/agent';

/** The limit; undefined for no limit, or no price. */
export interface SpendingOptions {
  readonly maxSpend: number | undefined;
  readonly price: ModelPrice | undefined;
}

/** Counts what was spent. */
export class Spending {
  #spent = 0;

  constructor(private readonly options: SpendingOptions) {}

  get price(): ModelPrice | undefined {
    return this.options.price;
  }

  /** The rest of the limit; Infinity for no limit. */
  get left(): number {
    return Math.max(0, (this.options.maxSpend ?? Infinity) - this.#spent);
  }

  add(usage: Usage): void {
    if (this.price !== undefined) this.#spent += spentOn(usage, this.price);
  }

  /** The model as servers may ask it: what they use is counted, and when nothing is left they are refused. */
  forServers(model: ChatModel): ChatModel {
    return {
      name: model.name,
      takesImages: model.takesImages,
      takesAudio: model.takesAudio ?? false,
      takesFiles: model.takesFiles ?? false,
      complete: async (request, options) => {
        if (this.price !== undefined && this.left === 0) throw new ModelError('REFUSED', 'Max spend reached');
        try {
          const reply = await model.complete(request, options);
          this.add(usageOf(reply, request.messages));
          return reply;
        } catch (error) {
          if (error instanceof ModelError && error.usage !== undefined) this.add(error.usage);
          throw error;
        }
      },
    };
  }
}
