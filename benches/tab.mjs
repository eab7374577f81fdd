// Reads /proc: Linux only.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

/** The memory of the largest tab's process, in MB: what it holds, not what it shares with others. */
export async function memoryOfTab() {
  let most = 0;
  for (const process of await readdir("/proc")) {
    const command = await readFile(join("/proc", process, "cmdline"), "utf8").catch(() => "");
    if (!/chrom/.test(command) || !command.includes("--type=renderer")) continue;
    const rollup = await readFile(join("/proc", process, "smaps_rollup"), "utf8").catch(() => "");
    const [, anonymous] = rollup.match(/^Anonymous: +(\d+) kB/m) ?? [0, 0];
    most = Math.max(most, Number(anonymous) / 1024);
  }
  return most;
}
