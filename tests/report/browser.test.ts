/** Tests pages in a real browser. Skipped without one: apt-get install chromium-headless-shell. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHtml } from '../../src/report/html/page.ts';
import { checkedRun, hostileRun, hostileTexts, largeRun, plainRun } from './sample-runs.ts';

const found = [process.env['CHROMIUM'], '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = found.find((path) => path && existsSync(path));
const axePath = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

describe.skipIf(executablePath === undefined)('a page in a browser (skipped without Chromium)', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'rlm-pages-'));
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox', '--disable-lcd-text'] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a page and records its network requests and errors. */
  async function open(text: string, more: { width?: number; colorScheme?: 'dark' | 'light' } = {}) {
    const file = join(folder, `${Math.random()}.html`);
    writeFileSync(file, text);
    const { width = 1280, colorScheme = 'light' } = more;
    // The page's policy must be bypassed for the checker. Requests are observed with and without it.
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    page.on('request', (request) => request.url().startsWith('file://') || troubles.push(request.url()));
    await page.goto(`file://${file}`);
    return { page, troubles, close: () => context.close() };
  }

  /** Returns the checker's findings on a page: the name of each broken rule with its first place. */
  async function faultsOf(page: Page): Promise<string[]> {
    await page.addScriptTag({ path: axePath });
    const run = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))";
    return (await page.evaluate(run)) as string[];
  }

  const openAll = (page: Page) =>
    page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const)('has no fault that axe finds, %s, %i wide, opened', async (colorScheme, width) => {
    const { page, troubles, close } = await open(toHtml(checkedRun), { colorScheme, width });
    // The first view is a part of the fully opened page, in the same colours and widths.
    if (colorScheme === 'light' && width > 390) expect(await faultsOf(page)).toEqual([]);
    await openAll(page);
    expect(await faultsOf(page)).toEqual([]);
    const overflow = 'document.documentElement.scrollWidth - innerWidth';
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    expect(troubles).toEqual([]);
    await close();
  });

  /** `PICTURES=docs npx vitest run tests/report/browser.test.ts` takes the pictures of docs/report.md. */
  const pictures = process.env['PICTURES'];
  it.skipIf(pictures === undefined)(
    'is photographed, light and dark (skipped unless PICTURES names a folder)',
    async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, close } = await open(toHtml(checkedRun), { colorScheme, width: 1160 });
        await page.locator('.node > summary').nth(2).click();
        await page.locator('.node > summary').nth(2).blur();
        const path = join(pictures!, `report-${colorScheme}.jpg`);
        await page.screenshot({
          path,
          type: 'jpeg',
          quality: 78,
          clip: { x: 0, y: 0, width: 1160, height: 880 },
          fullPage: true,
        });
        expect(statSync(path).size).toBeLessThan(150_000);
        await close();
      }
    },
  );

  it('opens sources from marks, and questions with their prompts and replies, with keys', async () => {
    const { page, close } = await open(toHtml(checkedRun));
    const source = page.locator('#source-3 .excerpt.near');
    expect(await source.isVisible()).toBe(false);
    await page.locator('.prose a.mark[href="#source-3"]').focus();
    await page.keyboard.press('Enter');
    expect(await source.isVisible()).toBe(true);
    expect(await source.locator('mark').textContent()).toBe('order 8812 failed: no connection after 5000 ms');

    const question = page.locator('#node-0-2');
    await question.locator('> summary').focus();
    await page.keyboard.press('Enter');
    expect(await question.innerText()).toMatch(/Count the failed orders by minute/);
    const exchange = question.locator('.fold:has(strong:text("repl"))').last();
    expect(await exchange.locator('pre').first().isVisible()).toBe(false);
    await exchange.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await exchange.innerText()).toContain('QUESTION: repl');

    await page.locator('#timeline a').nth(3).focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#node-0-1:target').isVisible()).toBe(true);
    await close();
  });

  it('shows 500 questions by their levels', async () => {
    const { page, troubles, close } = await open(toHtml(largeRun(500)));
    const shown = () => page.locator('.node:visible').count();
    expect(await shown()).toBe(5);
    await openAll(page);
    expect(await shown()).toBe(500);
    expect(troubles).toEqual([]);
    await close();
  });

  it('runs nothing of its texts, and makes no request', async () => {
    const { page, troubles, close } = await open(toHtml(hostileRun));
    await openAll(page);
    expect(await page.evaluate('window.hacked')).toBe(undefined);
    expect(await page.locator('img, iframe, svg[onload]').count()).toBe(0);
    expect(await page.locator('h1').first().textContent()).toBe(hostileTexts[1]);
    expect(await page.locator('body').innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(troubles).toEqual([]);
    await close();
  });

  it.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('scrolls to the cited line, which no box hides, at %i px, %s', async (width, colorScheme) => {
    const trajectory = checkedRun.trajectory!;
    const text = Array.from({ length: 9 }, (_, nth) => `line ${nth}`).join('\n');
    const cited = checkedRun.result.citations.at(-1)!;
    const far = { ...cited, startLine: 33_334, endLine: 33_334, quote: 'line 4' };
    const excerpts = [{ number: far.number, source: far.source, startLine: 33_330, text }];
    const result = { ...checkedRun.result, citations: [...checkedRun.result.citations.slice(0, -1), far] };
    const run = { ...checkedRun, result, trajectory: { ...trajectory, excerpts } };
    const { page, close } = await open(toHtml(run), { width, colorScheme });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    await page.locator(`a.mark[href="#source-${far.number}"]`).first().click();
    const line = page.locator(`#source-${far.number} .near .cited`);
    const box = (await line.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(900);
    const near = page.locator(`#source-${far.number} .near`);
    expect(await near.evaluate((pre) => pre.scrollHeight <= pre.clientHeight)).toBe(true);
    expect(await near.locator('.line').count()).toBe(5);
    const number = line.locator('.number');
    const height = await number.evaluate((one) => one.getClientRects().length);
    expect([await number.innerText(), height]).toEqual(['33334', 1]);
    await close();
  });

  it('leaves no half of a wide screen empty, whichever column is longer, and no sign alone on a line', async () => {
    const { citations } = checkedRun.result;
    const many = Array.from({ length: 20 }, (_, nth) => ({ ...citations[0]!, number: nth + 1 }));
    for (const [own, side, longer] of [
      [citations, 'sources', 'critique'],
      [many, 'answer', 'sources'],
    ] as const) {
      const { page, close } = await open(toHtml({ ...checkedRun, result: { ...checkedRun.result, citations: own } }));
      const box = async (id: string) => (await page.locator(`#${id}`).boundingBox())!;
      const [plan, beside] = [await box('plan'), await box(longer)];
      expect(plan.x).toBe((await box(side)).x);
      expect(plan.y).toBeLessThan(beside.y + beside.height);
      await page.setViewportSize({ width: 390, height: 900 });
      const sign = (await page.locator('.node .sign').nth(2).boundingBox())!;
      const question = (await page.locator('.node .question').nth(2).boundingBox())!;
      expect(question.x).toBeGreaterThanOrEqual(sign.x + sign.width);
      await close();
    }
  });

  it('names passages in the tree by their source or place, with a link, and never by their id', async () => {
    const { page, close } = await open(toHtml(checkedRun));
    await openAll(page);
    const answers = page.locator('.node .block .text');
    expect((await answers.allInnerTexts()).join()).not.toMatch(/P\d/);
    await answers.nth(1).locator('a.mark[href="#source-1"]').click();
    expect(await page.locator('#source-1:target').count()).toBe(1);
    await close();
  });

  it('prints with its sources and the tree open', async () => {
    const { page, close } = await open(toHtml(plainRun));
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.source .excerpt.near:visible').count()).toBe(5);
    await close();
  });
});
