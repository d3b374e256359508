/** Chooses the script of an append: appends with webhooks have keys and arguments that no other append pays for. */
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { AppendResult } from '@longhaul/tasks';
import type { StoredWebhook } from '@longhaul/tasks/store';
import type { retiring } from './account-arguments.js';
import {
  APPEND_ALWAYS,
  APPEND_ALWAYS_WITH_WEBHOOKS,
  APPEND_END,
  APPEND_END_WITH_WEBHOOKS,
  APPEND_IF_ROOM,
  APPEND_IF_ROOM_WITH_WEBHOOKS,
} from './append.lua.js';
import { argumentsOf } from './webhook-outbox.js';

/** The arguments of an append. */
export interface AppendCall {
  readonly names: Parameters<RunScript<typeof APPEND_END>>[0];
  readonly args: Parameters<RunScript<typeof APPEND_ALWAYS>>[1];
  readonly stored: readonly string[];
  /** Absent of an append that changes nothing of the task's webhooks. */
  readonly webhooks?: {
    readonly names: { readonly webhooks: string; readonly webhookRecipients: string };
    readonly due: readonly StoredWebhook[];
  };
}

/** The scripts that append to an existing or a new stream. */
export interface AppendScripts {
  /** @param mustFit whether it is written even when Redis is out of memory */
  append(call: AppendCall, mustFit: boolean): Promise<AppendResult>;
  /** The same on a cluster, where a script touches only the keys of the task. */
  appendAlone(call: AppendCall, mustFit: boolean): Promise<AppendResult>;
  /** Appends an end and retires the task. */
  end(call: AppendCall, retired: ReturnType<typeof retiring>): Promise<AppendResult>;
}

const ELSEWHERE = { agendaShard: undefined, rows: undefined };

/** Defines the scripts on a client. */
export function defineAppends(redis: RedisClient): AppendScripts {
  const always = defineScript(redis, APPEND_ALWAYS);
  const ifRoom = defineScript(redis, APPEND_IF_ROOM);
  const end = defineScript(redis, APPEND_END);
  const webhooksAlways = defineScript(redis, APPEND_ALWAYS_WITH_WEBHOOKS);
  const webhooksIfRoom = defineScript(redis, APPEND_IF_ROOM_WITH_WEBHOOKS);
  const webhooksEnd = defineScript(redis, APPEND_END_WITH_WEBHOOKS);
  return {
    append({ names, args, stored, webhooks }, mustFit) {
      if (webhooks === undefined) return (mustFit ? always : ifRoom)(names, args, stored);
      const all = { ...args, webhookCount: webhooks.due.length };
      return (mustFit ? webhooksAlways : webhooksIfRoom)({ ...names, ...webhooks.names }, all, [...argumentsOf(webhooks.due), ...stored]);
    },
    appendAlone({ names, args, stored, webhooks }, mustFit) {
      if (webhooks === undefined) return (mustFit ? always : ifRoom)({ ...names, ...ELSEWHERE }, args, stored);
      const alone = { ...names, ...ELSEWHERE, webhooks: webhooks.names.webhooks };
      const all = { ...args, webhookCount: webhooks.due.length };
      return (mustFit ? webhooksAlways : webhooksIfRoom)(alone, all, [...argumentsOf(webhooks.due), ...stored]);
    },
    end({ names, args, stored, webhooks }, retired) {
      const ended = { ...args, ...retired.args };
      if (webhooks === undefined) return end(names, ended, [...retired.ofAccounts, ...stored], retired.sets);
      const all = { ...ended, webhookCount: webhooks.due.length };
      const rest = [...retired.ofAccounts, ...argumentsOf(webhooks.due), ...stored];
      return webhooksEnd({ ...names, ...webhooks.names }, all, rest, retired.sets);
    },
  };
}
