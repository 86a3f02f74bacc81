/// Accounts of people whose clients have a certificate.
@NullMarked
package im.zonda.provider.certificate;

import org.jspecify.annotations.NullMarked;
