import { describe, expect, it } from 'vitest';
import type { Encoding } from '../../../src/inputs/decode.ts';
import type { Extract } from '../../../src/inputs/readers/extractor.ts';
import { extractDocx } from '../../../src/inputs/readers/formats/docx.ts';
import { extractHtml } from '../../../src/inputs/readers/formats/html.ts';
import { extractNotebook } from '../../../src/inputs/readers/formats/notebook.ts';
import { extractPdf } from '../../../src/inputs/readers/formats/pdf.ts';
import { createDocx, createEncryptedPdf, createNotebook, createPdf, createZip } from '../../support/packed-files.ts';

const extract = (by: Extract, content: string | Buffer, maxChars = 1_000_000, encoding: Encoding = 'utf-8') =>
  by({ name: 'x', bytes: Buffer.from(content), maxChars, maxUnpackRatio: 200, encoding });
const textOf = async (by: Extract, content: string | Buffer) => (await extract(by, content)).text;

describe('a PDF', () => {
  it('gives its pages, each below its number', async () => {
    expect(await textOf(extractPdf, createPdf(['First line.\nSecond (line).', 'The other page.']))).toBe(
      '[page 1]\nFirst line.\nSecond (line).\n\n[page 2]\nThe other page.\n',
    );
  });

  it('names the pages that have no text', async () => {
    const { text, warnings, pages } = await extract(extractPdf, createPdf(['', 'seen', '']));
    expect(text).toBe('[page 2]\nseen\n');
    expect(pages).toEqual([null, 'seen', null]);
    expect(warnings).toEqual(["2 of 3 pages of 'x' have no text layer: 1, 3"]);
  });

  it('may have a carriage return at each line end', async () => {
    const pdf = Buffer.from(createPdf(['one', 'two']).toString('latin1').replaceAll('\n', '\r'), 'latin1');
    expect(await textOf(extractPdf, pdf)).toBe('[page 1]\none\n\n[page 2]\ntwo\n');
  });

  const sound = createPdf(['seen']);
  it.each([
    ['that asks for a password', createEncryptedPdf(), 'encrypted'],
    ['that is none', Buffer.from('no pdf at all'), 'corrupt'],
    ['that is cut short', sound.subarray(0, 120), 'corrupt'],
    ['of noise', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(5000, '\x07\xff<</')]), 'corrupt'],
  ])('%s is named as such', async (_, bytes, reason) => {
    await expect(extract(extractPdf, bytes)).rejects.toMatchObject({ reason });
  });

  it('with a stream of many times its size is refused before it is parsed', async () => {
    const drawn = Buffer.from('BT (The pool) Tj ET\n'.repeat(2_000_000));
    await expect(extract(extractPdf, createPdf(['x'], { content: drawn }))).rejects.toMatchObject({
      reason: 'decompression bomb',
      message: expect.stringContaining('200 times'),
    });
  });

  it('with more text than allowed is abandoned', async () => {
    const pdf = createPdf(Array.from({ length: 20 }, () => 'a line of some length'));
    await expect(extract(extractPdf, pdf, 200)).rejects.toMatchObject({ reason: 'decompression bomb' });
  });
});

describe('a Word document', () => {
  it('gives its paragraphs', async () => {
    expect(await textOf(extractDocx, createDocx(['The pool &amp; more.', 'Ünïcode 🦆']))).toBe(
      'The pool & more.\n\nÜnïcode 🦆\n',
    );
  });

  it('keeps breaks, notes and raised numbers apart from the words and numbers beside them', async () => {
    const raised = '</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>6</w:t></w:r><w:r><w:t>';
    const note = '</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t>';
    const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const notes = `<w:footnotes ${namespace}><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/><w:t xml:space="preserve"> Net of tax.</w:t></w:r></w:p></w:footnote></w:footnotes>`;
    const docx = createDocx(
      [`Floor 12</w:t><w:br/><w:t>34 seats`, `10${raised} EUR${note}.`, `Again${note}`],
      [{ name: 'word/footnotes.xml', content: notes }],
    );
    const text = 'Floor 12\n34 seats\n\n10^6 EUR[1].\n\nAgain[2]\n\n 1. Net of tax. ↑\n\n 2. Net of tax. ↑\n';
    expect(await textOf(extractDocx, docx)).toBe(text);
  });

  it('gives a line for each row of a table', async () => {
    const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const rows = [
      ['dish', 'price'],
      ['soup', '12'],
    ].map((cells) => `<w:tr>${cells.map(cell).join('')}</w:tr>`);
    const table = `before</w:t></w:r></w:p><w:tbl>${rows.join('')}</w:tbl><w:p><w:r><w:t>after`;
    expect(await textOf(extractDocx, createDocx([table]))).toContain('dish\tprice\nsoup\t12\n');
  });

  it.each([
    ['that is no zip file', Buffer.from('no'.repeat(100)), 'corrupt'],
    ['without a text part', createZip([{ name: 'a.xml', content: '<a/>' }]), 'corrupt'],
    ['without text', createDocx(['']), 'without text'],
    ['that is protected', Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]), 'encrypted'],
    [
      'with a part that unpacks to a hundred times what is harmless',
      createDocx(['x'], [{ name: 'word/a.xml', content: Buffer.alloc(17_000_000) }]),
      'decompression bomb',
    ],
    [
      'with a part that is larger than it says',
      createDocx(['x'], [{ name: 'word/a.xml', content: Buffer.alloc(2_000_000), declaredBytes: 10 }]),
      'corrupt',
    ],
  ])('%s is named as such', async (_, bytes, reason) => {
    await expect(extract(extractDocx, bytes)).rejects.toMatchObject({ reason });
  });

  it('whose XML is damaged is named as such, without the words of a parser', async () => {
    const damaged = createDocx(['x'], [{ name: '_rels/.rels', content: '<Relationships <<<>' }]);
    await expect(extract(extractDocx, damaged)).rejects.toMatchObject({
      reason: 'corrupt',
      message: 'its content is not valid DOCX',
    });
  });

  it('reads no file outside it', async () => {
    const relations = (target: string) =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r9" Type="x" TargetMode="External" Target="${target}"/></Relationships>`;
    const part = { name: 'word/_rels/document.xml.rels', content: relations('file:///etc/passwd') };
    expect(await textOf(extractDocx, createDocx(['the pool'], [part]))).toBe('the pool\n');
  });
});

describe('a page', () => {
  const page =
    '<!doctype html><html><head><title>Notes</title><script>evil()</script><style>p{}</style></head>' +
    '<body><h1>Pool</h1><p>See <a href="https://example.org/x">the docs</a> &amp; more.</p>' +
    '<table><tr><th>Name</th><th>Size</th></tr><tr><td>main</td><td>4</td></tr></table></body></html>';

  it('gives its title and text, with the words of links and the cells of tables, without scripts and styles', async () => {
    expect(await textOf(extractHtml, page)).toBe('Notes\n\n\nPool\n\nSee the docs & more.\n\nName\tSize\nmain\t4\n');
  });

  it('has its declared encoding', async () => {
    const japanese = Buffer.from('<html><meta charset="shift_jis"><body>\x93\xfa\x96\x7b</body>', 'latin1');
    expect(await textOf(extractHtml, japanese)).toBe('日本\n');
    expect(await textOf(extractHtml, Buffer.from('\ufeff<html><body>Café</body>', 'utf16le'))).toBe('Café\n');
    const { warnings } = await extract(extractHtml, Buffer.from('<html><body>Caf\u00e9</body>', 'latin1'));
    expect(warnings).toEqual([expect.stringContaining("'x' is not UTF-8")]);
    const latin1 = Buffer.from('<html><body>Caf\u00e9</body>', 'latin1');
    expect((await extract(extractHtml, latin1, 1_000, 'latin1')).text).toBe('Café\n');
    expect((await extract(extractHtml, '<html><body>Café</body>', 1_000, 'latin1')).text).toBe('Café\n');
  });

  it('that is long is not cut', async () => {
    const text = await textOf(extractHtml, `<body>${'<p>x</p>'.repeat(3)}${'word '.repeat(3_400_000)}end</body>`);
    expect(text.endsWith('word end\n')).toBe(true);
  });

  it.each<[rows: string, lines: readonly string[]]>([
    ['<tr><td rowspan=2>a<td>1<tr><td>2', ['a\t1', '″ a\t2']],
    ['<tr><td>a<td rowspan=2>1<td>x<tr><td>b<td>y', ['a\t1\tx', 'b\t″ 1\ty']],
    [
      '<tbody><tr><td>a<td rowspan=0>1<tr><td>b<tr><td>c</td></tr></tbody><tbody><tr><td>d<td>2',
      ['a\t1', 'b\t″ 1', 'c\t″ 1', 'd\t2'],
    ],
    ['<tr><td rowspan=2>a<td rowspan=2>1<tr></tr><tr><td>b<td>2', ['a\t1', 'b\t2']],
    ['<tr><td colspan=2>a<td>1<tr><td>b<td>c<td>2', ['a\t\t1', 'b\tc\t2']],
    ['<tr><td rowspan=2 colspan=2>a<td>1<tr><td>2', ['a\t\t1', '″ a\t\t2']],
    ['<tr><td>a<td>1<tr><td colspan=2>part<tr><td>b<td>', ['a\t1', 'part', 'b\t']],
    ['<tr><td>a<br>b<td><p>1</p><p>2</p><tr><td>H<sub>2</sub>O<td>3', ['a b\t1 2', 'H2O\t3']],
    ['<tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>1<td>2<td>3', ['a\tb\t', '', '″ a\tc\td', '1\t2\t3']],
    ['<tr><td>a<td>45<sup> <a>1</a></sup><tr><td>1<sup>st</sup><td><section>2</section>3', ['a\t45^ 1', '1st\t2 3']],
    ['<tr hidden><td>a<td>1<tr><td style="display:none">x<td>b<td>2', ['b\t2']],
  ])('has each cell of a table in its column: %s', async (rows, lines) => {
    expect((await textOf(extractHtml, `<table>${rows}</table>`)).split('\n')).toEqual([...lines, '']);
  });

  it('keeps a part of the page that is in a cell', async () => {
    const layout = '<table><tr><td><h1>Pool</h1><p>one</p><td>menu</table>';
    expect(await textOf(extractHtml, layout)).toBe('Pool\n\none\n\n\tmenu\n');
  });

  it('keeps neighbouring words and numbers apart', async () => {
    const list =
      '<dl><dt>Ports<dd>80<dd>443</dl><select><option>a<option>b</select><details><summary>c</summary>d</details>';
    expect(await textOf(extractHtml, `<body>${list}</body>`)).toBe('Ports\n80\n443\na\nb\nc\nd\n');
    expect(await textOf(extractHtml, '<body>10<sup><b>6</b></sup> H<sub>2</sub>O, 1<sup>st</sup></body>')).toBe(
      '10^6 H2O, 1st\n',
    );
  });

  it('leaves out hidden parts, unless everything is hidden', async () => {
    const hidden = '<p hidden>a</p><p style="color:red;DISPLAY: none">b</p><div style="visibility:hidden">c</div>';
    expect(await textOf(extractHtml, `<body>${hidden}<p style="color:red">d</p></body>`)).toBe('d\n');
    expect(await textOf(extractHtml, '<body style="display:none"><p>e</p></body>')).toBe('e\n');
  });

  it('takes no memory because a page declares it', async () => {
    const spans = '<table><tr><td colspan="999999999" rowspan="999999999">the pool</td></tr></table>';
    expect(await textOf(extractHtml, spans)).toBe('the pool\n');
    const wide = `<table><tr><td rowspan=60000 colspan=1000>${'x'.repeat(100_000)}${'<tr><td>y'.repeat(60_000)}</table>`;
    expect((await textOf(extractHtml, wide)).length).toBeLessThan(500_000);
  });

  it('without text is named as such', async () => {
    await expect(extract(extractHtml, '<html><script>x</script></html>')).rejects.toMatchObject({
      reason: 'without text',
    });
  });
});

describe('a notebook', () => {
  it('gives its cells and their outputs that are text, each below its number', async () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Title\n', 'words'] },
      {
        cell_type: 'code',
        source: 'print(4)',
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['4\n', '5\n'] },
          { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=' } },
          { output_type: 'execute_result', data: { 'text/plain': ['<Pool>'], 'text/html': ['<b>Pool</b>'] } },
          { output_type: 'error', ename: 'KeyError', evalue: "'x'", traceback: ['\u001b[31mline 1\u001b[0m'] },
        ],
      },
      { cell_type: 'raw', source: '' },
    ];
    expect(await textOf(extractNotebook, createNotebook(cells))).toBe(
      '[cell 1: markdown]\n# Title\nwords\n\n[cell 2: code]\nprint(4)\n\n[cell 2: output]\n4\n5\n\n' +
        "[cell 2: output]\n<Pool>\n\n[cell 2: output]\nKeyError: 'x'\nline 1\n",
    );
  });

  it('of version 3 has its cells in worksheets', async () => {
    const old = { worksheets: [{ cells: [{ cell_type: 'code', input: ['a = 1'], outputs: [{ text: ['one'] }] }] }] };
    expect(await textOf(extractNotebook, JSON.stringify(old))).toBe('[cell 1: code]\na = 1\n\n[cell 1: output]\none\n');
  });

  it('with invalid cells gives the readable ones', async () => {
    const evil = [
      null,
      3,
      [],
      { cell_type: {}, source: ['the ', 4, 'pool'], outputs: { length: 1e9 } },
      { outputs: [{ data: [] }] },
    ];
    expect(await textOf(extractNotebook, createNotebook(evil))).toBe('[cell 4: cell]\nthe pool\n');
  });

  it.each([
    ['empty', ''],
    ['cut short', '{"cells": ['],
    ['a list', '[]'],
    ['nothing', 'null'],
    ['without cells', '{}'],
    ['with cells that are no list', '{"cells": {}}'],
    ['nested deeply', '['.repeat(100_000)],
  ])('is not JSON that is %s', async (_, json) => {
    await expect(extract(extractNotebook, json)).rejects.toMatchObject({ reason: 'corrupt' });
  });
});
