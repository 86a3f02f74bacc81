/// Guests: people who log in without an account (SASL ANONYMOUS, XEP-0175).
@NullMarked
package im.zonda.module.guests;

import org.jspecify.annotations.NullMarked;
