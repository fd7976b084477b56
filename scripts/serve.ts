/**
 * Runs the Worker that the variable `WORKER` describes until this process is ended: `serve.ts <state folder> <port>`. The
 * variable may hold secrets, so it is no argument: every process list shows those.
 */
import { runWorker } from './runWorker.ts';

const [persistTo = '', port] = process.argv.slice(2);
const { WORKER: described = '{}' } = process.env;
await runWorker({ ...JSON.parse(described), persistTo, port: Number(port) });
