import { hasCapability } from '@longhaul/mcp-features';
import type { ClientInfo } from '@longhaul/tasks';
import type { QuestionKind } from './question.js';

/** The kinds of questions that servers can ask the client of a task. */
export function askableKinds({ capabilities }: ClientInfo): readonly QuestionKind[] {
  const kinds = { elicitation: 'elicitation.form', sampling: 'sampling', roots: 'roots' } as const;
  return (Object.keys(kinds) as QuestionKind[]).filter((kind) => hasCapability(capabilities, kinds[kind]));
}
