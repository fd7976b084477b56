/**
 * What stands for `@peculiar/x509` and `@peculiar/asn1-android` in the bundle (`alias` in wrangler.toml). @simplewebauthn/server
 * uses them only for certificates that attest who made an authenticator, and this service asks for no attestation: browsers
 * then send none. A passkey that brings one all the same is refused.
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- it stands for classes.
class NoCertificates {
  constructor() {
    throw new Error('certificates of authenticators are not read');
  }
}

export {
  NoCertificates as AuthorityKeyIdentifierExtension,
  NoCertificates as CRLDistributionPointsExtension,
  NoCertificates as KeyDescription,
  NoCertificates as SubjectKeyIdentifierExtension,
  NoCertificates as X509Certificate,
  NoCertificates as X509ChainBuilder,
  NoCertificates as X509Crl,
};

/** The extension of certificates that Android makes. */
export const id_ce_keyDescription = '1.3.6.1.4.1.11129.2.1.17';
