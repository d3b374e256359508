import { decodeCursor, encodeCursor, type OpenQuestion } from '@longhaul/tasks';
import { omitUndefined } from '@longhaul/mcp-features';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import { operatorAnswer, isAnswerable, isApproval, requireAnswers } from '../answers/answer-of.js';
import type { RouteDeps } from './route-deps.js';
import { ERRORS, Refused } from '../http/problems.js';
import { filterOf, FilterQuery, Limit, Reason, Said, TaskPath, Time, timeOf } from '../schemas/common.js';

const Question = z
  .object({
    taskId: z.string(),
    key: z.string(),
    tool: z.string(),
    owner: z.string(),
    since: Time.describe('When it was asked.'),
    method: z.string(),
    message: z.string().optional(),
    params: z.record(z.string(), z.unknown()),
    answerable: z.boolean().describe('Whether operators may answer it.'),
    link: z
      .string()
      .optional()
      .describe('Opens a page on which anybody who has the link may answer, once. Only for operators who may answer.'),
  })
  .meta({ id: 'Question' });

/** A question of a task. */
export type Question = z.infer<typeof Question>;

/** An answer that an operator gives instead of the client. */
export const Answer = Said.extend({ reason: Reason }).meta({ id: 'Answer' });

/** A page of a list of questions. */
export const QuestionPage = z.object({ questions: z.array(Question), cursor: z.string().optional() });

/** What an operator may do with questions. */
interface Rights {
  readonly answersAllowed: boolean;
  /** Makes a link for the operator to pass on. */
  readonly linkTo: ((question: OpenQuestion) => string | undefined) | undefined;
}

function questionOf(question: OpenQuestion, { answersAllowed, linkTo }: Rights): z.infer<typeof Question> {
  const { view, input } = question;
  const { key, method, params, askedAt } = input;
  const { message } = params;
  const answerable = answersAllowed && isAnswerable(input);
  return omitUndefined({
    taskId: view.taskId,
    key,
    tool: view.tool,
    owner: view.owner,
    since: timeOf(askedAt),
    method,
    message: typeof message === 'string' ? message : undefined,
    params,
    answerable,
    link: answerable ? linkTo?.(question) : undefined,
  });
}

/** Lists the questions of tasks, and takes answers to them. */
export function questionRoutes(scope: FastifyInstance, { tasks, audited, answersAllowed, links }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/questions',
    {
      schema: {
        tags: ['questions'],
        summary: 'Unanswered questions of all tasks, newest task first',
        querystring: FilterQuery.omit({ status: true, failure: true }).extend({
          limit: Limit,
          cursor: z.string().max(200).optional(),
          approvals: z.stringbool().default(false).describe('Also what agents ask their users for approval of.'),
        }),
        response: { 200: QuestionPage, ...ERRORS },
      },
    },
    async ({ operator, query: { limit, cursor, approvals, ...filter } }) => {
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      const { questions, next } = await tasks.questions({ filter: filterOf(filter), limit, after });
      const shown = questions.filter(({ input }) => approvals || !isApproval(input.params));
      const linkTo =
        operator?.role === 'operate'
          ? ({ view, input }: OpenQuestion) => links?.linkTo(view, input, `operator:${operator.name}`)
          : undefined;
      const rights = { answersAllowed, linkTo };
      return omitUndefined({ questions: shown.map((each) => questionOf(each, rights)), cursor: next && encodeCursor(next) });
    },
  );
  app.post(
    '/tasks/:taskId/answers/:key',
    {
      schema: {
        tags: ['questions'],
        summary: 'Answers, declines or cancels a question instead of the client; the first answer counts',
        params: TaskPath.extend({ key: z.string().max(1_024) }),
        body: Answer,
        response: { 204: z.null(), ...ERRORS },
      },
    },
    async (request, reply) => {
      const { taskId, key } = request.params;
      const { reason, ...given } = request.body;
      const who = requireOperator(request.operator);
      await audited({ who, action: `question.${given.action}`, target: taskId, reason, details: { key } }, async () => {
        requireAnswers(answersAllowed);
        const isTaken = await tasks.answer(taskId, key, (asked) => operatorAnswer(asked, given), `operator:${who.name}`);
        if (!isTaken)
          throw new Refused(
            409,
            'NOT_ASKED',
            'The task does not ask that, or not any more: somebody has answered before, or it has ended.',
          );
      });
      return reply.code(204).send(null);
    },
  );
}
