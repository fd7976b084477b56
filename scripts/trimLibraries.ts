import { readFileSync } from 'node:fs';
import path from 'node:path';
import currencyCodes from 'currency-codes';
import * as esbuild from 'esbuild';
import { root } from './environment.ts';
import { writeChanged } from './writeChanged.ts';

interface Trimmed {
  readonly entry: string;
  /** Files that nothing here needs. Their exports stay: they fail when they are called, and `new` gives an empty object. */
  readonly without?: RegExp;
  /** Functions of the library's file that nothing here calls: only their heads stay, which this captures. */
  readonly withoutBodies?: RegExp;
  /** Methods that nothing here calls, and what only they need. */
  readonly withoutMethods?: RegExp;
  /** Files of the project that stand for packages. */
  readonly instead?: Readonly<Record<string, string>>;
}

const folder = path.join(root, 'dist/libraries');

/** Libraries by the names of their files in that folder, which `alias` in wrangler.toml names. */
const libraries: Readonly<Record<string, Trimmed>> = {
  zod: {
    entry: './scripts/zodInEnglish.js',
    without: /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/,
    // The formats of a text as its methods: `z.string().email()` in place of `z.email()`.
    withoutMethods:
      /^ +\w+\(params\) \{\s+return this\.check\(core\._\w+\(Zod\w+, params\)\);\s+\},$/gm,
  },
  // It tells the engines of browsers, too, for which nobody asks.
  browsers: {
    entry: './scripts/browsers.js',
    without: /\/bowser\/src\/parser-engines\.js$/,
  },
  xmlBuilder: {
    entry: 'fast-xml-builder',
    // For `preserveOrder`, which nobody here asks for.
    without: /\/fast-xml-builder\/src\/orderedJs2Xml\.js$/,
    instead: { 'path-expression-matcher': 'scripts/noPaths.ts' },
  },
  // It also writes CSV, and reads it from files, streams and addresses, in workers of a browser.
  csv: {
    entry: './node_modules/papaparse/papaparse.js',
    withoutBodies:
      /^\t(function (?:JsonToCsv|(?:Network|File|ReadableStream|DuplexStream)Streamer|getWorkerBlob|newWorker|(?:main|worker)ThreadReceivedMessage)\([\w, ]*\))\s*\{.*?^\t\}$/gms,
  },
  // Its client makes an object of each of Stripe's products: Issuing, Terminal, Treasury and so on.
  stripe: {
    entry: 'stripe',
    without:
      /\/stripe\/esm\/(Decimal|StripeEventNotificationHandler|resources|resources\/(?!(BalanceTransactions|Customers|Disputes|Files|PaymentIntents|PaymentMethods|Payouts|Refunds|SetupIntents)\.).*)\.js$/,
  },
  // It reads certificates that attest who made an authenticator. This service asks for none: browsers then send none, and
  // a passkey that brings one all the same is refused.
  passkeys: {
    entry: '@simplewebauthn/server',
    without:
      /\/@simplewebauthn\/server\/esm\/(registration\/verifications\/(?!verifyAttestationPacked)|helpers\/(validateCertificatePath|getCertificateInfo|isCertRevoked|convertX509PublicKeyToCOSE|validateExtFIDOGenCEAAGUID|mapX509SignatureAlgToCOSEAlg)|services\/(defaultRootCerts\/|metadataService)|metadata\/).*\.js$/,
    instead: {
      '@peculiar/asn1-schema': 'scripts/ecdsaSignature.ts',
      '@peculiar/asn1-ecc': 'scripts/ecdsaSignature.ts',
    },
  },
};

const FAILS = "if (!new.target) throw new Error('left out of the bundle');";

/** Bundles each of these libraries without what nobody here uses: each has one entry, which imports everything. */
export async function trimLibraries(): Promise<void> {
  const all = Object.entries(libraries).map(([name, library]) =>
    esbuild.build({
      entryPoints: { [name]: library.entry },
      outdir: folder,
      write: false,
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
      mainFields: ['browser', 'module', 'main'],
      target: 'esnext',
      logLevel: 'warning',
      plugins: [trimmer(library)],
    }),
  );
  for (const { outputFiles } of await Promise.all(all)) {
    for (const { path: file, text } of outputFiles) writeChanged(file, text);
  }
  writeChanged(
    path.join(folder, 'currencies.js'),
    `export default ${JSON.stringify(currencies())};`,
  );
}

/** What is asked of `currency-codes`: ISO 4217 without names and countries. */
function currencies() {
  return { data: currencyCodes.data.map(({ code, digits }) => ({ code, digits })) };
}

function trimmer({
  without,
  withoutBodies,
  withoutMethods,
  instead = {},
}: Trimmed): esbuild.Plugin {
  return {
    name: 'trimmer',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path: name }) => {
        const file = instead[name];
        return file === undefined ? null : { path: path.join(root, file) };
      });
      build.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8');
        if (without?.test(file)) return { contents: emptied(text) };
        if (withoutBodies) return { contents: text.replace(withoutBodies, '$1 {}') };
        return withoutMethods ? { contents: text.replace(withoutMethods, '') } : null;
      });
    },
  };
}

/** A module with the same exports. */
function emptied(text: string): string {
  const names = text.matchAll(/^export (?:async )?(?:class|function|const|let|var) (\w+)/gm);
  const lists = text.matchAll(/^export \{([^}]*)\}/gm);
  const listed = [...lists].flatMap(([, list = '']) => list.match(/\w+(?=\s*(,|$))/g) ?? []);
  const main = /^export default /m.test(text) ? [`export default function () { ${FAILS} }`] : [];
  return [...names, ...listed.map((name) => [name, name])]
    .map(([, name]) => `export function ${name}() { ${FAILS} }`)
    .concat(main)
    .join('\n');
}
