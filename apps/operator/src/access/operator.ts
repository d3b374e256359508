/** What somebody may do: look, or change things too. */
export type Role = 'read' | 'operate';

/** Somebody who operates the deployment. */
export interface Operator {
  readonly name: string;
  readonly role: Role;
}
