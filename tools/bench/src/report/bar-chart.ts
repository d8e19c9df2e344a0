/** One bar of the chart. */
export interface Bar {
  /** The text to the left of the bar. */
  readonly label: string;
  readonly value: number;
  /** The text to the right of the bar. */
  readonly text: string;
  /** True for a subject of ours, whose bar has a different colour. */
  readonly isOurs: boolean;
}

/** Bars that share a scale. The scale begins at 0. */
export interface BarGroup {
  readonly title: string;
  readonly bars: readonly Bar[];
}

// Number of groups side by side. All lengths below are in SVG user units.
const numColumns = 2;
const columnWidth = 430;
const labelWidth = 150;
const barWidth = 200;
const barHeight = 17;
const titleHeight = 26;
const groupGap = 14;
const padding = 12;

// The text follows the reader's colour scheme. The bars have enough contrast on white and on near-black.
const style = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 13px; font-weight: 600; }
  .ours { fill: #2f81d7; }
  .theirs { fill: #8b949e; }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } }
`;

/** Returns an SVG chart of horizontal bars. Each group has a separate scale. Two groups are drawn side by side. */
export function barChart(title: string, groups: readonly BarGroup[]): string {
  const heights = groups.map(({ bars }) => titleHeight + bars.length * barHeight + groupGap);
  const drawn: string[] = [];
  let top = padding;
  for (let first = 0; first < groups.length; first += numColumns) {
    const row = groups.slice(first, first + numColumns);
    row.forEach((group, column) => drawn.push(...drawGroup(group, padding + column * columnWidth, top)));
    top += Math.max(...heights.slice(first, first + numColumns));
  }
  const width = padding * 2 + columnWidth * Math.min(numColumns, groups.length);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}

function drawGroup({ title, bars }: BarGroup, left: number, top: number): readonly string[] {
  const largest = Math.max(...bars.map(({ value }) => value));
  const barLeft = left + labelWidth;
  return [
    text(barLeft, top + 16, title, 'class="title"'),
    ...bars.flatMap(({ label, value, text: end, isOurs }, index) => {
      const y = top + titleHeight + index * barHeight;
      const width = round(largest > 0 ? (value / largest) * barWidth : 0);
      return [
        text(barLeft - 6, y + 11, label, 'text-anchor="end"'),
        `<rect class="${isOurs ? "ours" : "theirs"}" x="${barLeft}" y="${y}" width="${width}" height="${barHeight - 4}"/>`,
        text(round(barLeft + width + 5), y + 11, end, ""),
      ];
    }),
  ];
}

function text(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${x}" y="${y}"${attributes && ` ${attributes}`}>${escaped(words)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
