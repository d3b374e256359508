/**
 * Serves the pages of linked questions. The token in the address is all that a caller needs and all that one can use: it stands for one
 * question. So there is no session, no cookie and nothing that a foreign page could make a browser add. To look at a page changes nothing,
 * because programs that check mails open each link in them. An answer counts only when it is recorded, and the first one counts.
 */
import type { QuestionLinks } from '@longhaul/sessions/gateway';
import { networkOf } from '@longhaul/runtime/network-of';
import { addressAccount, type InputAnswer, type PendingInput, TaskError, type TaskView } from '@longhaul/tasks';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type PostedForm, postedContent, postedForm } from '../questions/answer-form.js';
import { formFieldsOf } from '../questions/form-fields.js';
import { MAX_FORM_BYTES, notePage, PAGE_HEADERS, questionPage } from '../questions/question-page.js';
import type { AuthenticatedRequest } from '../rpc/caller.js';
import { inputAnswerOf, isMisfit } from '../rpc/tasks/client-response.js';
import { ifThere, type ScopedTasks } from '../rpc/tasks/scoped-tasks.js';
import type { HostCheck } from './host-check.js';
import type { SendHttpError } from './http-errors.js';
import type { CountRequests } from './request-limits.js';

/** A wildcard, because tokens are longer than Fastify lets a parameter be. */
const PATH = '/tasks/*';

const NOTHING_TO_ANSWER =
  'There is nothing to answer here. The question of this link has been answered, or is no longer asked. If neither can be, check that the link is complete.';

/** The parts of the pages. */
export interface QuestionRoutesDeps {
  readonly links: Pick<QuestionLinks, 'open'>;
  readonly tasks: ScopedTasks;
  /** Finds the owner of a task. */
  readonly ownerOf: (taskId: string) => Promise<string | undefined>;
  /** The name of a tool that people read. */
  readonly titleOf: (tool: string) => string;
  /** The name of the server. */
  readonly server: string;
  readonly checkHost: HostCheck;
  readonly countRequests: CountRequests;
}

/** A question that is open. */
interface OpenQuestion {
  readonly view: TaskView;
  readonly input: PendingInput;
  /** Who was given the link, for the record of the answer. */
  readonly givenTo: string | undefined;
}

/** @param app a separate scope: settings on it apply only to these routes */
export function registerQuestionRoutes(app: FastifyInstance, deps: QuestionRoutesDeps): void {
  const { checkHost, countRequests } = deps;
  app.removeAllContentTypeParsers();
  const form = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const;
  app.addContentTypeParser('application/x-www-form-urlencoded', form, (_request, body, done) => done(null, body));
  app.addHook('onRequest', (request, _reply, done) => {
    // The page names no origin when it sends its form: it tells nobody where it is.
    checkHost({ headers: { ...request.headers, origin: undefined }, rawHeaders: request.raw.rawHeaders });
    const raw = request.raw as AuthenticatedRequest;
    raw.addressAccount = addressAccount(networkOf(request.ip));
    raw.counted = countRequests(raw, 1);
    done();
  });
  app.addHook('preHandler', async ({ raw }) => (raw as AuthenticatedRequest).counted?.());
  app.get(PATH, async ({ params }, reply) => {
    const found = await findQuestion(deps, params);
    return typeof found === 'number' ? nothing(deps, reply, found) : show(reply, 200, pageOf(deps, found));
  });
  app.post(PATH, async ({ params, body }, reply) => {
    const found = await findQuestion(deps, params);
    if (typeof found === 'number') return nothing(deps, reply, found);
    return answer(deps, found, postedForm(typeof body === 'string' ? body : ''), reply);
  });
}

/** Says what went wrong to somebody who reads it in a browser. */
export function sendErrorPage(server: string): SendHttpError {
  return (reply, { httpStatus, headers = {}, message }) => {
    const isOurs = httpStatus >= 500 || httpStatus === 429;
    const note = isOurs ? 'This does not work at the moment. Go back, and try again in a while.' : message;
    return show(reply.headers(headers), httpStatus === 200 ? 500 : httpStatus, notePage(server, note));
  };
}

/** @returns the HTTP status of the page that says that there is none. It is the same for tasks that exist and tasks that do not. */
async function findQuestion({ links, tasks, ownerOf }: QuestionRoutesDeps, params: unknown): Promise<OpenQuestion | 404 | 410> {
  const linked = links.open((params as Readonly<Record<'*', string>>)['*']);
  if (linked === undefined) return 404;
  const { taskId, key, askedAt, isExpired, givenTo } = linked;
  const owner = isExpired ? undefined : await ownerOf(taskId);
  if (owner === undefined) return 410;
  const snapshot = await ifThere(() => tasks.getOfCall(taskId, { owner, auth: undefined }));
  const input = snapshot?.view.pendingInputs.find((pending) => pending.key === key && pending.askedAt === askedAt);
  return snapshot === undefined || input === undefined ? 410 : { view: snapshot.view, input, givenTo };
}

async function answer(deps: QuestionRoutesDeps, asked: OpenQuestion, posted: PostedForm, reply: FastifyReply): Promise<FastifyReply> {
  const { tasks, server } = deps;
  const { view, input, givenTo } = asked;
  const [action] = posted.get('action') ?? [];
  if (action !== 'accept' && action !== 'decline') return show(reply, 422, pageOf(deps, asked, posted));
  try {
    const given = (now: PendingInput): InputAnswer => {
      // The task has begun anew since, and asks under the same key.
      if (now.askedAt !== input.askedAt) throw new TaskError('TASK_NOT_FOUND');
      return inputAnswerOf(now, { result: resultOf(now, action, posted) });
    };
    const { taskId, owner } = view;
    const isTaken = await tasks.provideInput(
      taskId,
      input.key,
      given,
      { owner, auth: undefined },
      { via: givenTo === undefined ? 'link' : `link:${givenTo}` },
    );
    if (!isTaken) return nothing(deps, reply, 410);
    const said = action === 'accept' ? 'Your answer is recorded' : 'It is recorded that you decline';
    return show(reply, 200, notePage(server, `${said}, and the task continues. You can close this page.`));
  } catch (error) {
    if (!isMisfit(error)) throw error;
    return show(reply, 422, pageOf(deps, asked, posted, error));
  }
}

function resultOf({ params }: PendingInput, action: 'accept' | 'decline', posted: PostedForm) {
  if (action === 'decline' || params['mode'] === 'url') return { action };
  return { action, content: postedContent(formFieldsOf(params['requestedSchema']), posted) };
}

function pageOf({ server, titleOf }: QuestionRoutesDeps, { view, input }: OpenQuestion, posted?: PostedForm, refused?: TaskError): string {
  const field = formFieldsOf(input.params['requestedSchema']).find(({ name }) => `content.${name}` === fieldOf(refused));
  // People know a field by its title.
  const problem =
    field === undefined ? refused?.message : refused?.message.replace(JSON.stringify(field.name), () => JSON.stringify(field.title));
  return questionPage({ server, tool: titleOf(view.tool) }, input, { posted, problem, wrong: field?.name });
}

function fieldOf(refused: TaskError | undefined): unknown {
  return (refused?.data as { readonly field?: unknown } | undefined)?.field;
}

function nothing({ server }: QuestionRoutesDeps, reply: FastifyReply, status: 404 | 410): FastifyReply {
  return show(reply, status, notePage(server, NOTHING_TO_ANSWER));
}

function show(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).headers(PAGE_HEADERS).send(page);
}
