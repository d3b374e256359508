import { setSourceMapsSupport } from 'node:module';

/** As many frames as a stack has here: those of steps and passes are between an author's. */
const STACK_FRAMES = 40;

/** Has stacks of this process name the lines of the source that authors wrote, and enough of them. Call it before their modules load. */
export function showAuthorFrames(): void {
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  Error.stackTraceLimit = Math.max(Error.stackTraceLimit, STACK_FRAMES);
}
