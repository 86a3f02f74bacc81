/// Tests of the account's pages.
@NullMarked
package im.zonda.web.account;

import org.jspecify.annotations.NullMarked;
