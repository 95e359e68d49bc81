import type { Markup } from '../../src/report/html/markup.ts';

const themes = {
  light: { ink: '#1f2328', paper: '#ffffff', bar: 1 },
  dark: { ink: '#e6edf3', paper: '#0d1117', bar: 1.5 },
};

/** Returns a plot as a separate SVG file, for a light or a dark page. */
export function standalone({ text }: Markup, theme: keyof typeof themes): string {
  const { ink, paper, bar } = themes[theme];
  const style = `svg{font:12px sans-serif;background:${paper}}.tick{fill:${ink}}.grid{stroke:${ink};stroke-opacity:.25}.range{stroke:${ink};stroke-width:1.5}.bar{filter:brightness(${bar})}`;
  return text.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ').replace('>', `><style>${style}</style>`);
}
