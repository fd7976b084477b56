import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from './environment.ts';
import { writeChanged } from './writeChanged.ts';

interface Trimmed {
  /** What stands for the library's own entry: a package, or a file in this folder. */
  readonly entry: string;
  /** Files that nothing here needs. Their exports stay, and do nothing. */
  readonly without: RegExp;
  /** What an export of such a file does when it is called; `new` always gives an empty object. */
  readonly called: 'fails' | 'nothing';
  /** Files of the project that stand for packages. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** Libraries by the names of their files in `dist/libraries`, which `alias` in wrangler.toml names. */
const libraries: Readonly<Record<string, Trimmed>> = {
  // Its client makes an object of each of Stripe's products: Issuing, Terminal, Treasury and so on.
  stripe: {
    entry: 'stripe',
    without:
      /\/stripe\/esm\/(Decimal|StripeEventNotificationHandler|resources|resources\/(?!(BalanceTransactions|Customers|Disputes|Files|PaymentIntents|PaymentMethods|Payouts|Refunds|SetupIntents)\.).*)\.js$/,
    called: 'fails',
  },
  // What reads certificates that attest who made an authenticator. This service asks for no attestation: browsers then send none, and a
  // passkey that brings one all the same is refused.
  passkeys: {
    entry: '@simplewebauthn/server',
    without:
      /\/@simplewebauthn\/server\/esm\/(registration\/verifications\/(?!verifyAttestationPacked)|helpers\/(validateCertificatePath|getCertificateInfo|isCertRevoked|convertX509PublicKeyToCOSE|validateExtFIDOGenCEAAGUID|mapX509SignatureAlgToCOSEAlg)|services\/(defaultRootCerts\/|metadataService)|metadata\/).*\.js$/,
    called: 'fails',
    instead: {
      '@peculiar/asn1-schema': 'scripts/ecdsaSignature.ts',
      '@peculiar/asn1-ecc': 'scripts/ecdsaSignature.ts',
    },
  },
  // Its converters to JSON schemas.
  zod: {
    entry: './scripts/zodInEnglish.js',
    without: /\/zod\/v4\/core\/(to-json-schema|json-schema-processors|json-schema-generator)\.js$/,
    called: 'nothing',
  },
};

/** Bundles each of these libraries without what nobody here uses: each has one entry, which imports everything. */
export async function trimLibraries(): Promise<void> {
  const all = Object.entries(libraries).map(([name, library]) =>
    build({
      entryPoints: { [name]: library.entry },
      outdir: path.join(root, 'dist/libraries'),
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
}

function trimmer({ without, called, instead = {} }: Trimmed): Plugin {
  return {
    name: 'trimmer',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^@peculiar\// }, ({ path: name }) => {
        const file = instead[name];
        return file === undefined ? null : { path: path.join(root, file) };
      });
      onLoad({ filter: /\.js$/ }, ({ path: file }) =>
        without.test(file) ? { contents: emptied(readFileSync(file, 'utf8'), called) } : null,
      );
    },
  };
}

/** A module with the same exports. */
function emptied(text: string, called: Trimmed['called']): string {
  const names = text.matchAll(/^export (?:async )?(?:class|function|const|let|var) (\w+)/gm);
  const lists = text.matchAll(/^export \{([^}]*)\}/gm);
  const listed = [...lists].flatMap(([, list = '']) => list.match(/\w+(?=\s*(,|$))/g) ?? []);
  const body =
    called === 'fails' ? "if (!new.target) throw new Error('left out of the bundle');" : '';
  return [...names, ...listed.map((name) => [name, name])]
    .map(([, name]) => `export function ${name}() { ${body} }`)
    .join('\n');
}
