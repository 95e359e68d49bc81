import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);
const pages = [...readdirSync(root), ...below('docs')].filter((name) => name.endsWith('.md'));

/** Returns a page's links and pictures within the project: a file, and possibly a heading in it. */
function linksOf(page: string): { readonly file: string; readonly heading: string | undefined }[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|src(?:set)?="([^"]+)"/g)].map(
    ([, link, picture]) => link ?? picture!,
  );
  return links
    .filter((to) => !to.includes('://'))
    .map((to) => {
      const [file, heading] = to.split('#');
      return { file: file === '' ? page : join(dirname(page), file!), heading };
    });
}

/** Returns the anchors of a page's headings. */
const headingsOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, words]) =>
    words!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  );

it.each(pages)('%s links to existing files and headings', (page) => {
  const links = linksOf(page);
  expect(links.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  const missing = links.filter(({ file, heading }) => heading && !headingsOf(file).includes(heading));
  expect(missing).toEqual([]);
});

it('looks at pages that have links', () => {
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(20);
});

it('ARCHITECTURE.md names the function that leads to the next file on the way to the wire', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const way = page.slice(page.indexOf('## From the command line to the wire'), page.indexOf('## The stages'));
  const steps = [...way.matchAll(/^\d+\. \[(.+?)\]\(\1\): (.+)$/gm)];
  expect(steps.length).toBeGreaterThan(8);
  expect(steps.length).toBeLessThanOrEqual(12);
  for (const [, file, words] of steps) {
    const source = readFileSync(join(root, file!), 'utf8');
    const named = [...words!.matchAll(/`([^`]+)`/g)].map(([, code]) => code!).filter((code) => !code.startsWith('--'));
    expect(named, file).not.toEqual([]);
    expect(named.filter((code) => !source.includes(code))).toEqual([]);
  }
});

it('the five files that explain a run have fewer than 600 lines', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const five = page.slice(0, page.indexOf('## A question')).matchAll(/^\d\. \[(src\/.+?)\]/gm);
  const lengths = [...five].map(([, file]) => readFileSync(join(root, file!), 'utf8').split('\n').length);
  expect(lengths).toHaveLength(5);
  expect(lengths.reduce((sum, lines) => sum + lines, 0)).toBeLessThan(600);
});
