// Asks for the documents that the first search is of, while the scripts of the page are on their way.
{
  const all = ["fr", "it", "sw", "tl"];
  const [, chosen] = /[#&]lang=([^&]*)/.exec(location.hash) ?? [];
  // The model is asked for above, by the version that is in its address.
  const { search } = new URL(document.querySelector('link[rel="preload"]').href);
  for (const language of all.includes(chosen) ? [chosen] : all) {
    const link = Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", fetchPriority: "low" });
    link.href = `./generated/documents/${language}/demo.safetensors.gz${search}`;
    document.head.append(link);
  }
}
