import { METHOD_NOT_FOUND } from '@modelcontextprotocol/client';
import {
  CreateTaskResultV1Schema,
  hasTaskToolCallCapabilityV1,
  ServerTaskCapabilitiesV1Schema,
} from '@modelcontextprotocol/ext-tasks/core/v1';
import type { ActiveCall } from '../active-call.js';
import type { Connection } from '../connection.js';
import { RpcError } from '../errors.js';
import type { TaskAccess } from '../following/follow-task.js';
import { toolResult } from '../following/task-snapshot.js';
import type { CallAnswer, GenerationAdapter, ToolCall } from '../generation-adapter.js';
import { LingeringSignal } from '../lingering-signal.js';
import { ToolDeclarations } from '../tool-declarations.js';
import { snapshotOf, TaskAccess2025 } from './task-access.js';

/** How long to wait for the handle of a task after its call was aborted. */
const HANDLE_GRACE_MS = 5_000;

/** Generation 2025-11-25: the client asks for a task, for each tool that can be one. */
export class Generation2025 implements GenerationAdapter {
  readonly #tools: ToolDeclarations;

  constructor(private readonly connection: Connection) {
    this.#tools = new ToolDeclarations(connection);
  }

  async start(toolCall: ToolCall, call: ActiveCall): Promise<CallAnswer> {
    const asTask = await this.#canBeTask(toolCall.name);
    call.signal.throwIfAborted();
    try {
      return await this.#call(toolCall, call, asTask);
    } catch (error) {
      // This refusal also says that the tool must be called the other way. Then it has changed since it was listed.
      if (!(error instanceof RpcError && error.code === METHOD_NOT_FOUND)) throw error;
      this.#tools.forget();
      if ((await this.#canBeTask(toolCall.name)) === asTask) throw error;
      return await this.#call(toolCall, call, !asTask);
    }
  }

  task(taskId: string): TaskAccess {
    return new TaskAccess2025(this.connection, taskId);
  }

  async close(): Promise<void> {
    // Only the connection is kept open.
  }

  async #call(toolCall: ToolCall, call: ActiveCall, asTask: boolean): Promise<CallAnswer> {
    if (!asTask) return { result: toolResult(await this.#send(toolCall, call, call.signal)) };
    // An aborted request for a task is not cancelled: the specification wants the task cancelled, so its id is needed.
    const lingering = new LingeringSignal(call.signal, HANDLE_GRACE_MS);
    try {
      const { ttlMs } = toolCall;
      const result = await this.#send(toolCall, call, lingering.signal, { task: ttlMs === undefined ? {} : { ttl: ttlMs } });
      const created = CreateTaskResultV1Schema.safeParse(result);
      return created.success ? { task: snapshotOf(created.data.task) } : { result: toolResult(result) };
    } finally {
      lingering.dispose();
    }
  }

  async #canBeTask(name: string): Promise<boolean> {
    const capabilities = ServerTaskCapabilitiesV1Schema.safeParse(this.connection.client.getServerCapabilities()?.tasks);
    if (!capabilities.success || !hasTaskToolCallCapabilityV1(capabilities.data)) return false;
    const taskSupport = (await this.#tools.find(name))?.execution?.taskSupport;
    return taskSupport === 'required' || taskSupport === 'optional';
  }

  #send({ name, arguments: args, meta, isRepeatable }: ToolCall, call: ActiveCall, signal: AbortSignal, task = {}): Promise<unknown> {
    return this.connection.request({
      method: 'tools/call',
      params: { name, ...(args !== undefined && { arguments: args }), ...(Object.keys(meta).length > 0 && { _meta: meta }), ...task },
      isRepeatable,
      isCancellable: true,
      signal,
      onSend: (id) => call.requestIds.add(id),
    });
  }
}
