const HEIGHT = 8;

/** Returns a text plot with one column of characters per loss. The top is the highest finite loss, and the bottom is zero. */
export function plotLosses(losses: readonly number[]): string {
  const top = Math.max(...losses.filter(Number.isFinite), Number.MIN_VALUE);
  const lines = Array.from({ length: HEIGHT }, (_, line) => {
    const upper = (HEIGHT - line) / HEIGHT;
    const lower = (HEIGHT - line - 1) / HEIGHT;
    const label = line === 0 ? top.toFixed(3) : line === HEIGHT - 1 ? "0" : "";
    const cells = losses.map((loss) => {
      const share = loss / top;
      if (share > upper) return "█";
      return share > lower || (line === HEIGHT - 1 && share >= 0) ? "▄" : " ";
    });
    return `  ${label.padStart(8)} ┤${cells.join("")}`;
  });
  return [...lines, `  ${"".padStart(8)} └${"─".repeat(losses.length)} epoch ${losses.length}`].join("\n");
}
