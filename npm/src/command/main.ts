#!/usr/bin/env node
// The command `smooth-clir` of the package: indexes a site and previews it, in JavaScript and WebAssembly.
import { readFileSync } from "node:fs";
import { messageOf } from "../errors.js";
import { Failure } from "./failure.js";
import { makeIndex } from "./make-index.js";
import { commandOf, HELP } from "./options.js";
import { serveSite } from "./serve.js";
import { harmless, Terminal } from "./terminal.js";

async function run(args: readonly string[]): Promise<void> {
  const command = commandOf(args);
  switch (command.name) {
    case "help":
      process.stdout.write(HELP[command.of]);
      return;
    case "version": {
      const about = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
      process.stdout.write(`smooth-clir ${about.version}\n`);
      return;
    }
    case "serve":
      return preview(command.folder, command.port, new Terminal());
    case "index": {
      const terminal = new Terminal({ quiet: command.options.isQuiet });
      const site = await makeIndex(command.options, terminal);
      if (command.options.port !== undefined) await preview(site, command.options.port, terminal);
    }
  }
}

async function preview(site: string, port: number, terminal: Terminal): Promise<void> {
  const { url, page } = await serveSite(site, port);
  terminal.note(`\n${site} is at ${url}${page === undefined ? "" : `, its search at ${page}`}; Ctrl+C ends it`);
}

// A reader that has left (`| head`) ends the command quietly.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
run(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected = error instanceof Failure;
  process.stderr.write(`error: ${harmless(messageOf(error))}\n`);
  if (!isExpected && error instanceof Error && process.env["DEBUG"]) process.stderr.write(`${error.stack}\n`);
  process.exitCode = isExpected ? error.status : 1;
});
