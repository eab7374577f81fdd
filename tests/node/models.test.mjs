// The model that the package ships, on documents that it was not trained on, in Node.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SmoothClir } from "smooth-clir";

const file = (name) => fileURLToPath(import.meta.resolve(`smooth-clir/models/${name}.safetensors`));
const DOCUMENTS = {
  fr: {
    nurse: "L’infirmière soigne les malades à l’hôpital.",
    train: "Le train quitte la gare à huit heures.",
    bread: "Le boulanger sort les pains chauds du four.",
    whale: "La baleine nage dans l’océan avec son petit.",
  },
  sw: {
    nurse: "Muuguzi anahudumia wagonjwa hospitalini.",
    train: "Treni inaondoka kituoni saa mbili.",
    bread: "Mwokaji anatoa mikate moto kwenye tanuri.",
    whale: "Nyangumi anaogelea baharini na mtoto wake.",
  },
};
// By the dense score alone: what translations match does not count.
const QUERIES = { nurse: "doctors and medicine", train: "travel by rail", bread: "something to eat for breakfast", whale: "sea animals" };

for (const [language, documents] of Object.entries(DOCUMENTS)) {
  describe(`documents in ${language}, by the words that theirs may stand for`, () => {
    let engine;
    before(async () => {
      engine = await SmoothClir.load({ model: [file("query"), file(`document.${language}`)] });
      await engine.addUserDocuments(Object.entries(documents).map(([id, text]) => ({ id, text })), { language });
    });
    after(() => engine.close());

    for (const [expected, query] of Object.entries(QUERIES)) {
      test(`“${query}” finds the one that it is about`, async () => {
        const [first] = await engine.search(query, { dense: 1 });
        assert.equal(first.id, expected);
      });
    }

    test("a document fits if it is about the query, and is likelier an answer than the next", async () => {
      for (const [expected, query] of Object.entries({ nurse: "nurse in a hospital", whale: "whale in the ocean" })) {
        const [first, second] = await engine.search(query);
        assert.equal(first.id, expected);
        assert.ok(first.fits && first.probability > second.probability, JSON.stringify([query, first, second]));
      }
    });

    test("no document fits a query about something else", async () => {
      for (const query of ["interest rates of the central bank", "carburettor", "who won the football match", "qzxv jjkw"]) {
        const hits = await engine.search(query);
        assert.ok(hits.every(({ fits }) => !fits), JSON.stringify([query, hits[0]]));
      }
    });
  });
}
