/** Who looks at the page. */
import { computed, signal } from '@preact/signals';
import type { Operator } from '../../../src/answers.js';

/** `unknown` until the API was asked; nobody before a login. */
export const session = signal<Operator | 'unknown' | undefined>('unknown');

/** Whether the present operator may change something. What they see is the same. */
export const mayOperate = computed(() => typeof session.value === 'object' && session.value.role === 'operate');

/** The login is over. */
export function forgetSession(): void {
  session.value = undefined;
}
