/// Accounts that a service keeps.
@NullMarked
package im.zonda.plugins.httpaccounts;

import org.jspecify.annotations.NullMarked;
