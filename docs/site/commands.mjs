// The page of commands, from the program's own help.
import { execFileSync } from "node:child_process";

/** The names of the commands that a help lists. */
export function namesIn(help) {
  const list = /^Commands:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? "";
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name).filter((name) => name !== "help");
}

/** The help of every command and of the commands within it, as Markdown. */
export function commandsOf(program) {
  const helpOf = (path) => execFileSync(program, ["help", ...path], { encoding: "utf8", env: { ...process.env, NO_COLOR: "1", COLUMNS: "100" } });
  const parts = [];
  const add = (path) => {
    const help = helpOf(path);
    if (path.length > 0) {
      parts.push(`${"#".repeat(path.length + 1)} ${path.join(" ")}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`);
    }
    for (const name of namesIn(help)) add([...path, name]);
  };
  add([]);
  return parts.join("\n");
}
