/** Tests the page in a real browser. Skipped without one: apt-get install chromium-headless-shell. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { createReport, renderHtml } from '../../../src/eval/report/render.ts';
import { summarise } from '../../../src/eval/summary/summarise.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { evaluationOf } from '../summary/evaluations.ts';

const found = [process.env['CHROMIUM'], '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = found.find((path) => path && existsSync(path));
const axePath = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

it.skipIf(executablePath === undefined)(
  'axe finds no fault on the page, light, dark or narrow, and it makes no request (skipped without Chromium)',
  async () => {
    const evaluation = evaluationOf(40, 20, 24);
    const file = join(tempFolder(), 'report.html');
    writeFileSync(file, renderHtml(createReport(evaluation, summarise(evaluation, 'plain'), [])));
    const browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    const troubles: string[] = [];
    const faults: unknown[] = [];
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      page.on('request', (request) => request.url().startsWith('file://') || troubles.push(request.url()));
      await page.goto(`file://${file}`);
      await page.locator('summary').first().click();
      await page.addScriptTag({ path: axePath });
      const run = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))";
      faults.push(...((await page.evaluate(run)) as string[]));
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    await browser.close();
    expect([faults, troubles]).toEqual([[], []]);
  },
);
