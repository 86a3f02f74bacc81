/// Registration of accounts, and what an administrator learns and changes of them.
@NullMarked
package im.zonda.account;

import org.jspecify.annotations.NullMarked;
