import { schemaProblem } from './schema-check.js';
/** Models like to put JSON into a block of Markdown. */
const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;
/** An answer as data that fits a schema, or what is wrong with it. */
export function answerData(answer, schema) {
    const text = answer.trim();
    let data;
    try {
        data = JSON.parse(FENCED.exec(text)?.[1] ?? text);
    }
    catch (error) {
        return { problem: `it is no JSON: ${error.message}` };
    }
    const problem = schemaProblem(schema, data);
    return problem === undefined ? { data } : { problem };
}
//# sourceMappingURL=answer-data.js.map