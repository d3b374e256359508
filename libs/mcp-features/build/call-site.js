import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
const MAX_FRAMES = 50;
/** Where the function is called, which is on the stack: the first place outside of Node. */
export function callSite(called) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = MAX_FRAMES;
    const captured = { stack: '' };
    Error.captureStackTrace(captured, called);
    Error.stackTraceLimit = stackTraceLimit;
    const places = captured.stack.split('\n').flatMap((line) => /^ {4}at .*?\(?((?:file:\/\/)?\/.*:\d+:\d+)\)?$/.exec(line)?.[1] ?? []);
    const [first = 'an unknown place'] = places;
    const own = places.find((place) => !isLibrary(place)) ?? first;
    return { place: readable(own), isLibrary: isLibrary(first) };
}
function isLibrary(place) {
    return place.includes('/node_modules/');
}
function readable(place) {
    const path = place.startsWith('file://') ? fileURLToPath(place) : place;
    const shorter = relative(process.cwd(), path);
    return shorter.startsWith('..') ? path : shorter;
}
//# sourceMappingURL=call-site.js.map