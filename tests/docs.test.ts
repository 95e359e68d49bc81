import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);
const pages = [...readdirSync(root), ...below('docs')].filter((name) => name.endsWith('.md'));

/** Links of a page that lead to files of the project, without their anchors. */
function linksOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map((match) => match[1]!)
    .filter((to) => !to.includes('://'));
}

it.each(pages)('%s links to files that are there', (page) => {
  expect(linksOf(page).filter((to) => !existsSync(join(root, dirname(page), to)))).toEqual([]);
});

it('looks at pages that have links', () => {
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(20);
});
