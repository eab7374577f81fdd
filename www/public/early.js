// Asks for the documents that the first search is of, while the scripts of the page are on their way.
{
  const all = ["fr", "it", "sw", "tl"];
  const [, chosen] = /[#&]lang=([^&]*)/.exec(location.hash) ?? [];
  for (const language of all.includes(chosen) ? [chosen] : all) {
    const link = Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", fetchPriority: "low" });
    link.href = `./generated/documents/${language}/demo.safetensors.gz`;
    document.head.append(link);
  }
}
