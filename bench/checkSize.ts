/** `npm run check:size`: fails where the service's bundle is larger than it may be. */
import { inFolder, stopOnSignals } from './scratch.ts';
import { MOST_KIB, measureBundle } from './size.ts';

const kib = await inFolder((folder) => measureBundle(folder, stopOnSignals()));
console.log(`The bundle has ${kib.toFixed(1)} of ${MOST_KIB} KiB, compressed.`);
if (kib > MOST_KIB) process.exitCode = 1;
