/** outside.ts ADDRESS: a host at an address of its own on the link of the cluster's nodes, which answers HTTP on port 8080 with the address that it sees. Prints "ready" then. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';

const [address = ''] = process.argv.slice(2);
execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo']);
createServer(({ socket }, response) => {
  response.end(`outside sees ${socket.remoteAddress ?? 'nobody'}\n`);
}).listen(8080, address, () => {
  console.log('ready');
});
