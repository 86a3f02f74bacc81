/// Accounts of issuers of tokens: JSON Web Tokens (RFC 7519) that are signed (RFC 7515).
///
/// The settings say which algorithms, issuer and audiences are right; a token's header only chooses
/// among the keys that were configured.
@NullMarked
package im.zonda.provider.jwt;

import org.jspecify.annotations.NullMarked;
