import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import { requireAnswers } from '../answers/answer-of.js';
import type { RouteDeps } from './route-deps.js';
import { ERRORS } from '../http/problems.js';
import { Reason, TaskPath } from '../schemas/common.js';

/** A signal that an operator sends. */
export const SentSignal = z
  .strictObject({
    name: z.string().min(1).max(512),
    value: z.json().describe('Must fit the schema of the wait, if the task waits for it.'),
    id: z.string().min(1).max(256).optional().describe('Of several signals with one id, the task takes one.'),
    reason: Reason,
  })
  .meta({ id: 'SentSignal' });

/** Whether a signal was taken. */
const TakenSignal = z.object({ taskId: z.string(), isRepeated: z.boolean().describe('A signal with that id was taken before.') });

/** Sends signals to tasks. */
export function signalRoutes(scope: FastifyInstance, { tasks, audited, answersAllowed }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/tasks/:taskId/signals',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Sends a signal to a task, whether or not it waits for one; it is recorded when this answers',
        params: TaskPath,
        body: SentSignal,
        response: { 200: TakenSignal, ...ERRORS },
      },
    },
    async ({ operator, params: { taskId }, body: { name, value, id, reason } }) => {
      const who = requireOperator(operator);
      return audited({ who, action: 'signal.send', target: taskId, reason, details: { name } }, async () => {
        requireAnswers(answersAllowed);
        const isNew = await tasks.signal(taskId, { name, value, id, via: `operator:${who.name}` });
        return { taskId, isRepeated: !isNew };
      });
    },
  );
}
