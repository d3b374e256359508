/** What commands print: tables and lines for people, JSON for programs. What tasks say cannot act on the terminal of a person. */
import { styleText } from 'node:util';
import { printable, printableLine } from '../../printable.js';
import { columnsOf } from './table.js';
const DEFAULT_WIDTH = 40;
/** Prints in the form that was asked for. */
export class Output {
    terminal;
    form;
    isTerminal;
    constructor(terminal, form, 
    /** Whether a person looks at it as it comes. */
    isTerminal) {
        this.terminal = terminal;
        this.form = form;
        this.isTerminal = isTerminal;
    }
    /**
     * Prints a list.
     *
     * @param answer what the API answered, for `--json`
     */
    list(entries, columns, answer) {
        if (this.form === 'json')
            return this.terminal.out(JSON.stringify(answer, undefined, 2));
        if (this.form === 'jsonl')
            return entries.forEach((entry) => this.terminal.out(JSON.stringify(entry)));
        const rows = entries.map((entry) => columns.map(({ text, width = DEFAULT_WIDTH }) => printableLine(text(entry) ?? '', width)));
        const [head = '', ...lines] = columnsOf([columns.map(({ title }) => title), ...rows]);
        this.terminal.out(this.dim(head));
        for (const line of lines)
            this.terminal.out(line);
    }
    /** Prints one thing. @param lines for people: names and values, without those that have none */
    details(value, lines) {
        if (this.form === 'json')
            return this.terminal.out(JSON.stringify(value, undefined, 2));
        if (this.form === 'jsonl')
            return this.terminal.out(JSON.stringify(value));
        const shown = lines.flatMap(([name, text]) => (text === undefined ? [] : [[printable(name), printable(text)]]));
        const width = Math.max(0, ...shown.map(([name]) => name.length));
        for (const [name, text] of shown)
            this.terminal.out(`${this.dim(name.padEnd(width))}  ${text}`);
    }
    /** Prints one entry of many that come one after the other. */
    entry(value, line) {
        this.terminal.out(this.form === 'text' ? printable(line) : JSON.stringify(value));
    }
    /** Says something to people only; programs get what the API answers. */
    say(line, value) {
        if (this.form === 'text')
            this.terminal.out(printable(line));
        else if (value !== undefined)
            this.terminal.out(JSON.stringify(value, undefined, this.form === 'json' ? 2 : undefined));
    }
    dim(text) {
        return this.isTerminal ? styleText('dim', text) : text;
    }
}
//# sourceMappingURL=output.js.map