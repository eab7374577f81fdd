import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const finetuneModule = new URL("../npm/dist/full/smooth_clir_bg.wasm", import.meta.url);

/** The bytes of the models' files in a folder, and of their indexes, but for texts. */
function modelFiles(folder: string): Record<string, number> {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const wanted = files.filter((file) => /^((models\/)?(query|document\.[^/]+)|documents\/[^/]+\/(demo|full))\.safetensors(\.gz)?$/.test(file)).sort();
  return Object.fromEntries(wanted.map((file) => [file, statSync(join(folder, file)).size]));
}

/** The bytes of each method's model and documents, by language and method. */
function methodFiles(folder: string): Record<string, Record<string, number>> {
  if (!existsSync(folder)) return {};
  const size = (file: string) => statSync(join(folder, file)).size;
  const ofLanguage = (language: string) => {
    const methods = readdirSync(join(folder, language)).flatMap((file) => /^([a-z]+)\.safetensors$/.exec(file)?.[1] ?? []);
    const bytes = (method: string) => size(`${language}/${method}.safetensors`) + size(`${language}/${method}.documents.safetensors`);
    return Object.fromEntries(methods.sort().map((method) => [method, bytes(method)]));
  };
  return Object.fromEntries(readdirSync(folder).sort().map((language) => [language, ofLanguage(language)]));
}

/** Makes libraries write text where they could write HTML, and throw where they could compile text: the page does neither. */
function withoutHtml(): Plugin {
  return {
    name: "without-html",
    transform(code, id) {
      if (id.includes("d3-selection")) return code.replaceAll("innerHTML", "textContent");
      // Templates of underscore, which mammoth does not use.
      if (id.includes("mammoth")) return code.replaceAll("new Function(", "new Refused(");
      return undefined;
    },
  };
}

/** Tells models, indexes and texts from those of another build. */
const generatedVersion = (() => {
  const digest = createHash("sha256");
  const folder = "public/generated";
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).sort() : [];
  for (const file of files) {
    const path = join(folder, file);
    if (statSync(path).isFile()) digest.update(file).update(readFileSync(path));
  }
  return digest.digest("hex").slice(0, 16);
})();

/** Asks for the model by the address that the page has for it. */
function versioned(): Plugin {
  return {
    name: "versioned",
    transformIndexHtml: (html) => html.replace(/(href="[^"]*generated\/[^"?]*)"/g, `$1?v=${generatedVersion}"`),
  };
}

/** Writes the service worker, which is told what the page consists of. */
function offline(): Plugin {
  return {
    name: "offline",
    apply: "build",
    generateBundle(_, bundle) {
      const pages = "public/";
      const fixed = readdirSync(pages, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(pages.length))
        // What is there compressed too is fetched so.
        .filter((file, _, all) => !all.includes(`${file}.gz`));
      const digest = createHash("sha256");
      for (const path of fixed) digest.update(path).update(readFileSync(join(pages, path)));
      for (const path of Object.keys(bundle)) digest.update(path);
      const script = readFileSync("src/offline/service-worker.js", "utf8")
        .replace("VERSION_OF_THE_BUILD", digest.digest("hex").slice(0, 16))
        .replace("VERSION_OF_THE_MODELS", generatedVersion)
        .replace("[/* FILES_OF_THE_BUILD */]", JSON.stringify(Object.keys(bundle).concat(fixed).sort()));
      this.emitFile({ type: "asset", fileName: "service-worker.js", source: script });
    },
  };
}

/** Writes the licences of the libraries of the page and its workers, which those ask to be passed on. */
function licences(): Plugin {
  return {
    name: "licences",
    apply: "build",
    generateBundle() {
      const packages = new Map<string, string>();
      const add = (name: string, from: string) => {
        // Of a package that others need too, npm puts one version beside them and others below them.
        const folder = [join(from, "node_modules", name), join("../node_modules", name)].find((one) => existsSync(join(one, "package.json")));
        if (folder === undefined || packages.has(folder)) return;
        const { version, license, dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
        const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
        packages.set(folder, `## ${name} ${version} (${license})\n${text}`);
        for (const needed of Object.keys(dependencies)) add(needed, folder);
      };
      const own = JSON.parse(readFileSync("package.json", "utf8")).dependencies as Record<string, string>;
      for (const name of Object.keys(own)) if (name !== "smooth-clir") add(name, ".");
      const source = `# Licences of the libraries on this page\n\n${[...packages.values()].sort().join("\n")}`;
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

export default defineConfig({
  // Any static host, from any sub-path.
  base: "./",
  // Sizes that the page shows before it fetches.
  define: {
    FINETUNE_MODULE_BYTES: statSync(finetuneModule).size,
    GENERATED_VERSION: JSON.stringify(generatedVersion),
    METHOD_BYTES: JSON.stringify(methodFiles("public/generated/methods")),
    MODEL_FILES: JSON.stringify(modelFiles("public/generated")),
  },
  build: {
    target: "es2022",
    // The policy allows no data: scripts, workers or WebAssembly.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The modules that the first visit and later parts share are one file, not a dozen small ones.
        codeSplitting: { groups: [{ name: "shared", test: /\/(src\/state\/[^/]+|format|failure|locale|errors|module)\.[jt]s$/ }] },
      },
    },
  },
  plugins: [withoutHtml(), versioned(), offline(), licences()],
  worker: { format: "es", plugins: () => [withoutHtml()] },
});
