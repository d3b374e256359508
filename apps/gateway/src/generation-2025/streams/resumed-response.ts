/** Writes the response to a GET that continues the stream of an earlier POST. */
import type { LeaseHolder } from '@longhaul/sessions/gateway';
import { toWireJson } from '@longhaul/tasks/text';
import type { TaskId } from '@longhaul/tasks';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { AnswerChannel } from '../requests/answer-channel.js';
import type { LiveStream } from './live-stream.js';
import { type AnswerHead } from '../../rpc/errors.js';

export class ResumedResponse implements AnswerChannel {
  /** @param sent ids of requests to the client that were sent on the stream before */
  constructor(
    private readonly stream: LiveStream,
    private readonly sent: ReadonlySet<string>,
  ) {}

  readonly takesMessages = true;

  get holder(): LeaseHolder {
    return this.stream.ref;
  }

  /** The task is known already: only answers of tasks are made here. */
  bind(_requestId: RequestId, _taskId: TaskId): void {
    // There is nothing to do.
  }

  hasSent(id: string): boolean {
    return this.sent.has(id);
  }

  push(message: object, isExclusive: boolean): void {
    this.stream.send({ json: toWireJson(message), isExclusive, isAnswer: false });
  }

  answer(message: object, _head: AnswerHead, isExclusive: boolean): void {
    this.stream.send({ json: toWireJson(message), isExclusive, isAnswer: true });
  }

  withdraw(isExclusive: boolean): void {
    this.stream.withdraw(isExclusive);
  }

  sendElsewhere(): void {
    void this.stream.sayGoodbye();
  }
}
