import { SmoothClirError, type TrainingCollection } from "smooth-clir";

/** The built-in corpus with documents in one language, as the trainer's `corpus` command writes it. */
export async function fetchCorpus(language: string): Promise<TrainingCollection> {
  const file = async (name: string) => {
    const address = new URL(`./generated/corpus/${language}/${name}.tsv`, document.baseURI);
    const answer = await fetch(address);
    if (!answer.ok) throw new SmoothClirError("fetch-failed", `${address.pathname}: status ${answer.status}`);
    const lines = (await answer.text()).split("\n").slice(0, -1);
    return lines.map((line) => line.split("\t") as [string, string, string]);
  };
  const [queries, documents, qrels] = await Promise.all(["queries", "documents", "relevance"].map(file));
  const texts = (rows: [string, string, string][]) => rows.map(([id, , text]) => ({ id, text }));
  return {
    queries: texts(queries!),
    documents: texts(documents!),
    qrels: qrels!.map(([query, document, grade]) => ({ query, document, grade: Number(grade) })),
  };
}
