/// Accounts that another service keeps: a directory, a program, a table, an issuer of tokens.
@NullMarked
package im.zonda.account.provider;

import org.jspecify.annotations.NullMarked;
