// A way to a server that can be slow, stall, or break.
import { once } from "node:events";
import { createServer, connect } from "node:net";

/** Passes bytes on to `address`. `delay`: milliseconds that each piece takes; `most`: bytes to the server before `end`. */
export async function proxy(address, { delay = 0, most = Infinity, end = "stall" } = {}) {
  const { hostname, port } = new URL(address);
  const sockets = new Set();
  const seen = { toServer: 0 };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => (client.destroy(), upstream.destroy()));
    }
    const later = (to, data) => setTimeout(() => to.destroyed || to.write(data), delay);
    upstream.on("data", (data) => later(client, data));
    client.on("data", (data) => {
      if (seen.toServer >= most) return;
      seen.toServer += data.length;
      if (seen.toServer < most) later(upstream, data);
      else if (end === "break") client.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    seen,
    close() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}
