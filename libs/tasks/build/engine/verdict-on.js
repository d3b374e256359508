import { nextPass } from '../domain/next-pass.js';
/** What becomes of a delivery whose pass is not to be run now; nothing when it is. */
export function verdictOn(delivery, state, now) {
    const { job, givenBack } = delivery;
    const mayClaimAnew = mayTakeOver(delivery) || givenBack?.lostEpoch === state.epoch;
    if (state.pass.phase === 'running')
        return mayClaimAnew && state.passNumber === job.pass ? undefined : {};
    const next = nextPass(state);
    if (next?.pass !== job.pass)
        return {};
    return next.dueAt > now ? { againAt: next.dueAt } : undefined;
}
/** Whether the delivery may take over a pass that is recorded as running: its worker or its job was lost. */
export function mayTakeOver({ redelivered, recovered = false }) {
    return redelivered || recovered;
}
//# sourceMappingURL=verdict-on.js.map