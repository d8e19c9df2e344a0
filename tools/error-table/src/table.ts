import type { ErrorMessage, ErrorSite } from "./sites.js";

/** Returns the messages as Markdown, one table per package. A table lists each combination of code, reason and message once. */
export function messageTable(sites: readonly ErrorSite[]): string {
  const packages = new Map<string, Map<string, ErrorMessage>>();
  for (const message of sites.flatMap((site) => site.messages)) {
    const [, name = ""] = message.file.split("/");
    const rows = packages.get(name) ?? new Map<string, ErrorMessage>();
    rows.set(`${message.code} ${message.reason} ${message.message}`, message);
    packages.set(name, rows);
  }
  const sections = Array.from(packages, ([name, rows]) => {
    const lines = Array.from(
      rows.values(),
      ({ file, code, reason, message }) =>
        `| ${code} | ${reason} | ${message.replaceAll("|", "\\|")} | ${file.split("/").slice(3).join("/")} |`,
    );
    return [
      `## ${name}`,
      "",
      "| code | reason | message | file |",
      "| --- | --- | --- | --- |",
      ...lines,
      "",
    ];
  });
  return ["# Error messages", "", ...sections.flat()].join("\n");
}
