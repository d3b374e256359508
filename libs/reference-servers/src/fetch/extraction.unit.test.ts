import { describe, expect, it } from 'vitest';
import { extractionOf } from './extraction.js';

const url = 'https://example.com/articles/one';

const sentence = 'This is a sentence of the article, with commas, and with enough words to be taken for prose.';
const article = (inner: string): string =>
  `<html><head><title>Test Page</title></head><body><nav><a href="/">Home</a></nav><article>${inner}<p>${sentence}</p></article></body></html>`;

const markdownOf = (html: string): string => extractionOf({ html, url }).markdown;

describe('the Markdown of an article', () => {
  it('has ATX headings, emphasis, lists, code and rules', () => {
    const markdown = markdownOf(
      article(
        '<h2>Sub heading</h2><p><b>bold</b> <i>it</i> <code>x</code></p><ul><li>one</li></ul><ol><li>first</li></ol>' +
          '<pre><code>let a;\n  b</code></pre><hr>',
      ),
    );
    expect(markdown).toBe(
      `## Sub heading\n\n**bold** *it* \`x\`\n\n* one\n\n1. first\n\n\`\`\`\nlet a;\n  b\n\`\`\`\n\n---\n\n${sentence}`,
    );
  });

  it('has lists in lists, numbers that begin where they say, and paragraphs of an item below its bullet', () => {
    const lists =
      '<ul><li>one<ul><li>in one<ul><li>deep<ul><li>deeper</li></ul></li></ul></li></ul></li><li><p>two</p><p>more</p></li></ul>' +
      '<ol start="9"><li>nine</li><li>ten<ul><li>in ten</li></ul></li></ol><ol start="x"><li>first</li></ol>';
    expect(markdownOf(article(lists))).toContain(
      '* one\n  + in one\n    - deep\n      * deeper\n* two\n\n  more\n\n9. nine\n10. ten\n    * in ten\n\n1. first',
    );
  });

  it('has preformatted text as code, with all its lines', () => {
    const pre = '<pre>a  b\n  <b>*c*</b><br>d</pre><pre><span>x</span> <code>y</code></pre><pre>```\nz\n```\n</pre>';
    expect(markdownOf(article(pre))).toContain('```\na  b\n  *c*\nd\n```\n\n```\nx y\n```\n\n````\n```\nz\n```\n````');
  });

  it('has tables, with what is special in cells escaped once', () => {
    const table = '<table><tr><th>A*</th><th>B|C</th></tr><tr><td>1</td><td><code>a|b</code></td></tr></table>';
    expect(markdownOf(article(table))).toContain('| A\\* | B\\|C |\n| --- | --- |\n| 1 | `a\\|b` |');
  });

  it('has tables whose cells claim more columns than anyone reads', () => {
    const table = '<table><tr><th>A</th></tr><tr><td colspan="999999999">1</td></tr></table>';
    expect(markdownOf(article(table))).toContain('| A |\n| --- |\n| 1 |');
  });

  it('has links and images that lead somewhere without the page', () => {
    const markdown = markdownOf(article('<p><a href="/two">two</a> <a href="#end">end</a> <img src="a.png" alt="an image"></p>'));
    expect(markdown).toContain('[two](https://example.com/two)');
    expect(markdown).toContain('[end](https://example.com/articles/one#end)');
    expect(markdown).toContain('![an image](https://example.com/articles/a.png)');
    const based = article('<p><a href="two">two</a></p>').replace('<head>', '<head><base href="/other/">');
    expect(markdownOf(based)).toContain('[two](https://example.com/other/two)');
  });

  it('has nothing of scripts, styles and what stands around the article', () => {
    const markdown = markdownOf(article('<script>track()</script><style>p {}</style>'));
    expect(markdown).toBe(sentence);
  });
});

describe('a page that is written in another way', () => {
  it.each([
    ['without html, head and body', `<!doctype html><title>T</title><p>${sentence}<p>more`, `${sentence}\n\nmore`],
    ['with html within its body', `<p>${sentence}<html><body><p>more`, `${sentence}\n\nmore`],
    ['as a text', 'only words', 'only words'],
  ])('is read: %s', (_how, html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });

  it.each([
    ['without a content', '<html><body></body></html>'],
    ['with scripts only', '<html><body><script>render()</script></body></html>'],
    ['of nothing', ''],
    ['of frames', '<frameset></frameset>'],
    ['nested more deeply than anyone can follow', `${'<div>'.repeat(20_000)}x`],
  ])('is empty %s', (_how, html) => {
    expect(extractionOf({ html, url })).toEqual({ markdown: '', isWholeBody: false });
  });
});

describe('a page most of which is no article', () => {
  const entries = Array.from({ length: 30 }, (_, index) => `Entry ${index} of a list that nobody would call an article`);

  it('is taken as a whole', () => {
    const prose = `<article><p>${sentence.repeat(6)}</p></article>`;
    const html = `<html><body>${prose}${entries.map((text) => `<div class="comment">${text}</div>`).join('')}</body></html>`;
    expect(extractionOf({ html, url })).toEqual({ markdown: [sentence.repeat(6), ...entries].join('\n\n'), isWholeBody: true });
  });

  it('is taken as a whole when a script would have uncovered it', () => {
    const html = `<html><body><div id="app">Loading</div><div hidden id="S:0"><p>${sentence}</p></div></body></html>`;
    expect(extractionOf({ html, url })).toEqual({ markdown: `Loading\n\n${sentence}`, isWholeBody: true });
  });

  it('is taken as a whole where only readers without scripts are addressed', () => {
    const html = '<html><body><noscript>Enable JavaScript</noscript></body></html>';
    expect(extractionOf({ html, url })).toEqual({ markdown: 'Enable JavaScript', isWholeBody: true });
  });

  it('stays an article when the rest is navigation', () => {
    const links = entries.map((text) => `<a href="/x">${text}</a>`).join('');
    const html = `<html><body><nav>${links}</nav><article><p>${sentence}</p></article><footer>${links}</footer></body></html>`;
    expect(extractionOf({ html, url })).toEqual({ markdown: sentence, isWholeBody: false });
  });

  it('is taken as a whole however many parts it has', () => {
    const html = `<html><body>${'<br>x'.repeat(5_000)}</body></html>`;
    expect(extractionOf({ html, url }).markdown.match(/x/g)).toHaveLength(5_000);
  });
});
