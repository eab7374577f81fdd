// Pages in the languages of packs, two each, and searches of them:
//   node languages.mjs write FOLDER LANGUAGE...
//   node languages.mjs check INDEX LANGUAGE...: fails unless each language's own page comes first
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Of each language the titles and texts of a page about rain in the mountains, and of one about bread. */
const PAGES = {
  es: [["La lluvia en la montaña", "Desde ayer llueve sin parar en la montaña, y el río ha crecido mucho."], ["Pan recién hecho", "El panadero saca del horno el pan caliente cada mañana."]],
  de: [["Regen in den Bergen", "Seit gestern regnet es in den Bergen ohne Pause, und der Fluss steigt."], ["Frisches Brot", "Der Bäcker holt jeden Morgen das warme Brot aus dem Ofen."]],
  pt: [["A chuva na montanha", "Desde ontem chove sem parar na montanha, e o rio subiu muito."], ["Pão fresco", "O padeiro tira o pão quente do forno todas as manhãs."]],
  ru: [["Дождь в горах", "Со вчерашнего дня в горах идёт дождь, и вода в реке поднимается."], ["Свежий хлеб", "Каждое утро пекарь достаёт из печи горячий хлеб."]],
  zh: [["山里的雨", "从昨天起山里一直下雨，河水涨了很多。"], ["新鲜面包", "面包师每天早上从烤炉里取出热面包。"]],
  id: [["Hujan di gunung", "Sejak kemarin hujan turun terus di gunung, dan air sungai naik."], ["Roti segar", "Setiap pagi tukang roti mengeluarkan roti hangat dari oven."]],
  ar: [["المطر في الجبال", "منذ أمس يهطل المطر على الجبال دون توقف، وارتفع ماء النهر."], ["خبز طازج", "يخرج الخباز الخبز الساخن من الفرن كل صباح."]],
  hi: [["पहाड़ों में बारिश", "कल से पहाड़ों में लगातार बारिश हो रही है और नदी का पानी बढ़ गया है।"], ["ताज़ी रोटी", "नानबाई हर सुबह तंदूर से गरम रोटी निकालता है।"]],
};
const NAMES = ["rain", "bread"];
const QUERIES = ["rain in the mountains", "warm bread from the oven"];

const [job, folder, ...languages] = process.argv.slice(2);
for (const language of languages) if (!PAGES[language]) throw new Error(`there are no pages in ${language}: add them to languages.mjs`);
if (job === "write") {
  for (const language of languages) {
    mkdirSync(join(folder, language), { recursive: true });
    PAGES[language].forEach(([title, text], at) => {
      writeFileSync(join(folder, language, `${NAMES[at]}.html`), `<!doctype html><html lang="${language}"><title>${title}</title><h1>${title}</h1><p>${text}`);
    });
  }
} else {
  const { SmoothClir } = await import("smooth-clir");
  const model = readdirSync(join(folder, "model")).map((name) => join(folder, "model", name));
  const engine = await SmoothClir.load({ model, documents: join(folder, "index.safetensors.gz") });
  for (const language of languages) {
    for (const [at, query] of QUERIES.entries()) {
      const [first] = await engine.search(query, { language });
      const expected = `${language}/${NAMES[at]}.html`;
      if (first?.id.split("#")[0] !== expected) throw new Error(`${query}: expected ${expected} first, found ${first?.id}`);
    }
    console.log(`${language}: found`);
  }
  engine.close();
}
